#include "ridge/ops/scan.h"

#include <gtest/gtest.h>

#include "ridge/ridge.h"

namespace ridge::scan_test {
namespace {

using Floats = std::vector<float>;
using Integers = std::vector<int64_t>;

TEST(Cumsum, SumsUpToEachElement) {
  const Tensor x = Tensor::of<float>({1, 2, 3, 4, 5, 6}, {2, 3});
  EXPECT_EQ(cumsum(x, 1).to_vector<float>(), (Floats{1, 3, 6, 4, 9, 15}));
  EXPECT_EQ(cumsum(x, 0).to_vector<float>(), (Floats{1, 2, 3, 5, 7, 9}));
}

TEST(Cumsum, SumsFromTheEnd) {
  const Tensor x = Tensor::of<float>({1, 2, 3, 4, 5, 6}, {2, 3});
  EXPECT_EQ(cumsum(x, -1, true).to_vector<float>(), (Floats{6, 5, 3, 15, 11, 6}));
}

TEST(Cumsum, SumsIntegersInSixtyFourBits) {
  const Tensor bytes = cumsum(Tensor::of<uint8_t>({200, 100}, {2}), 0);
  EXPECT_EQ(bytes.dtype(), i64);
  EXPECT_EQ(bytes.to_vector<int64_t>(), (Integers{200, 300}));
  const Tensor flags = cumsum(Tensor::of<bool>({true, false, true}, {3}), 0);
  EXPECT_EQ(flags.dtype(), i64);
  EXPECT_EQ(flags.to_vector<int64_t>(), (Integers{1, 1, 2}));
}

TEST(Cumsum, OfNothingIsNothing) { EXPECT_EQ(to_text(cumsum(zeros({2, 0}), 1).shape()), "[2, 0]"); }

}  // namespace
}  // namespace ridge::scan_test

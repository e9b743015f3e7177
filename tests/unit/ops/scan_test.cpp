#include "ridge/ops/scan.h"

#include <gtest/gtest.h>

#include <numeric>

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

// Far more than a quadratic way could sum in the time of a test.
TEST(Cumsum, SumsLongRows) {
  const int64_t count = int64_t{1} << 20;
  const Tensor x = remainder(arange(count), 1000);
  const auto in_program = compile([](const Tensor& t) { return cumsum(t, 0); });
  const std::vector<int64_t> values = x.to_vector<int64_t>();
  std::vector<int64_t> expected(values.size());
  std::partial_sum(values.begin(), values.end(), expected.begin());
  EXPECT_EQ(cumsum(x, 0).to_vector<int64_t>(), expected);
  EXPECT_EQ(in_program(x).to_vector<int64_t>(), expected);
  const Tensor gradient = grad([](const Tensor& t) { return sum(cumsum(t, 0)); })(zeros({count}));
  EXPECT_EQ(gradient.to_vector<double>().front(), static_cast<double>(count));
  EXPECT_EQ(gradient.to_vector<double>().back(), 1);
}

TEST(Cumsum, OfNothingIsNothing) { EXPECT_EQ(to_text(cumsum(zeros({2, 0}), 1).shape()), "[2, 0]"); }

}  // namespace
}  // namespace ridge::scan_test

// Programs for all sizes on a GPU.
#include <gtest/gtest.h>

#include "ridge/core/device_copy.h"
#include "ridge/driver/entry.h"
#include "ridge/ridge.h"
#include "simulated_gpu.h"

namespace ridge::testing::symbolic_test {
namespace {

class SimulatedSymbolic : public ::testing::Test {
 protected:
  void SetUp() override { RIDGE_USE_SIMULATED_GPU(); }
};

void expect_near(const Tensor& ours, const Tensor& wanted, double tolerance) {
  ASSERT_EQ(to_text(ours.shape()), to_text(wanted.shape()));
  const std::vector<double> a = ours.to_vector<double>(), b = wanted.to_vector<double>();
  for (size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], tolerance) << i;
}

TEST_F(SimulatedSymbolic, OneTransformerBlockForAllSizes) {
  Generator generator(5);
  nn::TransformerBlock here(32, 4, generator, 0, true);
  nn::TransformerBlock there = nn::on_device(here, kSimulated);
  const auto f = compile([](nn::TransformerBlock& block, const Tensor& x) { return block(x); },
                         {.name = "block", .argument_names = {"block", "x"}});
  const std::pair<int64_t, int64_t> sizes[] = {{2, 9}, {1, 7}, {3, 1}, {3, 16}, {2, 33}};
  for (const auto& [batch, length] : sizes) {
    const Tensor x = normal({batch, length, 32}, generator);
    expect_near(f(there, to_device(x, kSimulated)), here(x), 1e-5);
  }
  // For the first sizes, for all others, and for a length of 1, which shows as a view what is a copy
  // otherwise.
  EXPECT_EQ(f.programs().size(), 3u);
  for (const auto& [batch, length] : {std::pair<int64_t, int64_t>{0, 4}, {2, 0}, {1, 1}}) {
    const Tensor x = normal({batch, length, 32}, generator);
    expect_near(f(there, to_device(x, kSimulated)), here(x), 1e-5);
  }
}

// Rows of a known length stay in registers, 16 bytes a load, however many there are.
TEST_F(SimulatedSymbolic, RowsAreMappedAsIfTheirCountWereKnown) {
  Generator generator(5);
  const auto f = compile([](const Tensor& x) { return softmax(x, -1); },
                         {.argument_names = {"x"}, .dims = {{"x", 0, Dim("rows", 1, 4096)}}});
  for (const int64_t rows : {9, 200, 1}) {
    const Tensor x = normal({rows, 64}, generator);
    expect_near(f(to_device(x, kSimulated)), softmax(x, -1), 1e-6);
  }
  ASSERT_EQ(f.programs().size(), 1u);
  const auto& calls = f.programs()[0]->compiled->plan().calls;
  ASSERT_EQ(calls.size(), 1u);
  const std::string text = to_text(calls[0].kernel);
  EXPECT_NE(text.find("local "), std::string::npos) << text;
  EXPECT_NE(text.find("in 4 @vector"), std::string::npos) << text;
}

// Rows of unknown length too, where they start at no multiple of 16 bytes: up to a bound, by guard.
TEST_F(SimulatedSymbolic, RowsOfSymbolicLengthStayInRegisters) {
  Generator generator(5);
  const auto f = compile([](const Tensor& x) { return softmax(x * 2, -1); },
                         {.argument_names = {"x"}, .dims = {{"x", 1, Dim("length")}}});
  for (const int64_t length : {70, 3, 511, 1, 64, 333}) {
    const Tensor x = normal({3, length}, generator);
    expect_near(f(to_device(x, kSimulated)), softmax(x * 2, -1), 1e-6);
  }
  ASSERT_EQ(f.programs().size(), 1u);
  const auto& entry = *f.programs()[0];
  const auto& calls = entry.compiled->plan().calls;
  ASSERT_EQ(calls.size(), 1u);
  const std::string text = to_text(calls[0].kernel);
  EXPECT_NE(text.find("local "), std::string::npos) << text;
  EXPECT_NE(text.find("in 4 @vector"), std::string::npos) << text;
  EXPECT_NE(entry.sizes.to_text().find("length < 1022"), std::string::npos)
      << entry.sizes.to_text();
  const Tensor longer = normal({2, 1100}, generator);
  expect_near(f(to_device(longer, kSimulated)), softmax(longer * 2, -1), 1e-6);
  EXPECT_EQ(f.programs().size(), 2u);
}

// Many of them by a warp each, which passes over steps that lie behind the end.
TEST_F(SimulatedSymbolic, ManyRowsOfSymbolicLengthHaveAWarpEach) {
  Generator generator(5);
  const auto f = compile([](const Tensor& x) { return softmax(x * 2, -1); },
                         {.argument_names = {"x"}, .dims = {{"x", 1, Dim("length")}}});
  for (const int64_t length : {70, 3, 130}) {
    const Tensor x = normal({1200, length}, generator);
    expect_near(f(to_device(x, kSimulated)), softmax(x * 2, -1), 1e-6);
  }
  ASSERT_EQ(f.programs().size(), 1u);
  const std::string text = to_text(f.programs()[0]->compiled->plan().calls[0].kernel);
  EXPECT_NE(text.find("in 32 @gpu_thread"), std::string::npos) << text;
  EXPECT_NE(text.find("if 128 * i7 + 125 < s0"), std::string::npos) << text;
}

TEST_F(SimulatedSymbolic, IndicesOf32BitsAreGuarded) {
  Generator generator(5);
  const auto f = compile([](const Tensor& x) { return x * 2 + 1; },
                         {.argument_names = {"x"}, .dims = {{"x", 0, Dim("rows")}}});
  const Tensor x = normal({5, 64}, generator);
  expect_near(f(to_device(x, kSimulated)), x * 2 + 1, 1e-6);
  const auto& entry = *f.programs()[0];
  EXPECT_TRUE(entry.compiled->plan().fits_32_bits);
  EXPECT_NE(entry.sizes.to_text().find("guards rows < "), std::string::npos)
      << entry.sizes.to_text();
}

}  // namespace
}  // namespace ridge::testing::symbolic_test

// Rows of a million elements are read in chunks: what comes out is what holds for the row.
#include "ridge/ops/long_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "ridge/ridge.h"

namespace ridge::long_rows_test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A row that drifts, so that its chunks differ in their means and maxima.
Tensor drifting(const Shape& shape, double drift, uint64_t seed) {
  Generator generator(seed);
  const int64_t count = *numel(shape).known();
  const Tensor slope =
      reshape(cast(arange(count), f32) * (drift / static_cast<double>(count)), shape);
  return normal(shape, generator) + slope;
}

std::vector<double> softmax_of(const std::vector<double>& row) {
  const double top = *std::ranges::max_element(row);
  std::vector<double> result;
  for (const double x : row) result.push_back(std::exp(x - top));
  const double total = std::accumulate(result.begin(), result.end(), 0.0);
  for (double& value : result) value /= total;
  return result;
}

struct Statistics {
  double mean, scale;
};
Statistics statistics_of(const std::vector<double>& row, double eps) {
  const auto count = static_cast<double>(row.size());
  const double mean = std::accumulate(row.begin(), row.end(), 0.0) / count;
  double squares = 0;
  for (const double x : row) squares += (x - mean) * (x - mean);
  return {mean, 1 / std::sqrt(squares / count + eps)};
}

// f32 throughout: some rounding of each element, and of sums. The longest that anybody adds one by one is
// that of a chunk: lanes and tasks share rows that are not cut.
constexpr double kLongestSum = 1 << 15;
const double kBound = (8 + 2 * std::sqrt(kLongestSum)) * 0x1p-24;

void expect_close(const Tensor& actual, const std::vector<double>& expected, double scale) {
  const std::vector<double> values = actual.to_vector<double>();
  ASSERT_EQ(values.size(), expected.size());
  for (size_t i = 0; i < values.size(); ++i) {
    ASSERT_NEAR(values[i], expected[i], kBound * (std::fabs(expected[i]) + scale)) << i;
  }
}

TEST(LongRows, AreCutIntoEqualChunks) {
  EXPECT_EQ(ops::row_chunk(1000000), std::nullopt);
  EXPECT_EQ(ops::row_chunk(1 << 20), 1 << 15);
  EXPECT_EQ(ops::row_chunk(1200000), 30000);
  EXPECT_EQ(ops::row_chunk((1 << 20) + 8), std::nullopt);  // 8 * 131073
  EXPECT_EQ(ops::row_chunk((1 << 20) + 1), std::nullopt);
  EXPECT_EQ(ops::row_chunk(67108864), 1 << 15);
}

// The function as a program, where rows are cut.
template <class F>
Tensor compiled(F function, const Tensor& x) {
  return compile(function)(x);
}

TEST(LongRows, SoftmaxOfChunksThatDiffer) {
  for (const int64_t length : {int64_t{1} << 20, int64_t{1200000}, (int64_t{1} << 20) + 1}) {
    const Tensor x = drifting({1, length}, 10, 1);
    const std::vector<double> expected = softmax_of(x.to_vector<double>());
    const double largest = *std::ranges::max_element(expected);
    expect_close(softmax(x, 1), expected, 0);
    expect_close(compiled([](const Tensor& t) { return softmax(t, 1); }, x), expected, 0);
    std::vector<double> logarithms;
    for (const double p : expected) logarithms.push_back(std::log(p));
    expect_close(compiled([](const Tensor& t) { return log_softmax(t, 1); }, x), logarithms,
                 std::fabs(std::log(largest)));
  }
}

TEST(LongRows, ChunksWithoutWeightHaveNone) {
  constexpr int64_t kLength = 1 << 20;
  std::vector<float> values(2 * kLength, -std::numeric_limits<float>::infinity());
  values[3] = -250;  // what is next to -inf is far below 0
  values[kLength / 2] = -250;
  const auto soft = [](const Tensor& t) { return softmax(t, 1); };
  const std::vector<double> y =
      compiled(soft, Tensor::of<float>(values, {2, kLength})).to_vector<double>();
  EXPECT_EQ(y[0], 0);
  EXPECT_EQ(y[3], 0.5);
  EXPECT_EQ(y[kLength / 2], 0.5);
  EXPECT_EQ(y[kLength - 1], 0);
  for (const int64_t i : {kLength, 2 * kLength - 1})
    EXPECT_TRUE(std::isnan(y[static_cast<size_t>(i)]));
  values.assign(2 * kLength, 0);
  values[5] = std::numeric_limits<float>::quiet_NaN();
  values[kLength + 7] = static_cast<float>(kInfinity);
  const Tensor lost = compiled(soft, Tensor::of<float>(values, {2, kLength}));
  for (const double value : lost.to_vector<double>()) ASSERT_TRUE(std::isnan(value));
}

TEST(LongRows, LayerNormOfChunksThatDiffer) {
  for (const Shape& shape : {Shape{1, 1 << 20}, Shape{1, 1200, 1000}, Shape{1, (1 << 20) + 1}}) {
    const int64_t dims = shape.size() - 1;
    // Far from 0: a mean square less a squared mean would leave no digit of the variance.
    const Tensor x = drifting(shape, 5, 2) + 1000;
    const std::vector<double> row = x.to_vector<double>();
    const auto [mean, scale] = statistics_of(row, 1e-5);
    std::vector<double> expected;
    for (const double value : row) expected.push_back((value - mean) * scale);
    // The mean is rounded, which is 2^-24 of 1000.
    const auto norm = [&](const Tensor& t) { return layer_norm(t, {}, {}, 1e-5, dims); };
    expect_close(compiled(norm, x), expected, 1000 * scale);
  }
}

TEST(LongRows, GradientOfLayerNorm) {
  constexpr int64_t kLength = 1 << 20;
  const Tensor x = drifting({2, kLength}, 5, 3), g = drifting({2, kLength}, -1, 4);
  const auto gradient = compile([](const std::vector<Tensor>& inputs) {
    const auto pulled = vjp([](const std::vector<Tensor>& t) {
      return layer_norm(t[0], {}, {}, 1e-5, 1);
    })(std::vector<Tensor>{inputs[0]});
    return std::vector<Tensor>(pulled.second(inputs[1]));
  });
  const std::vector<double> actual = gradient(std::vector<Tensor>{x, g})[0].to_vector<double>();
  for (const int64_t row : {0, 1}) {
    const std::vector<double> xs = slice(x, 0, row, row + 1).to_vector<double>();
    const std::vector<double> gs = slice(g, 0, row, row + 1).to_vector<double>();
    const auto [mean, scale] = statistics_of(xs, 1e-5);
    double mean_g = 0, mean_product = 0;
    for (size_t i = 0; i < xs.size(); ++i) {
      mean_g += gs[i] / kLength;
      mean_product += gs[i] * (xs[i] - mean) * scale / kLength;
    }
    for (size_t i = 0; i < xs.size(); ++i) {
      const double expected = scale * (gs[i] - mean_g - (xs[i] - mean) * scale * mean_product);
      const double largest = 8 * scale;  // of what is added, since elements are within 8
      ASSERT_NEAR(actual[static_cast<size_t>(row * kLength) + i], expected, kBound * largest) << i;
    }
  }
}

}  // namespace
}  // namespace ridge::long_rows_test

#include "ridge/ops/convolution.h"

#include <gtest/gtest.h>

#include "ridge/base/random.h"
#include "ridge/ridge.h"

namespace ridge::convolution_test {
namespace {

using Floats = std::vector<float>;

struct Case {
  Ints x;       // [batch, in, height, width]
  Ints weight;  // [out, in / groups, kernel height, kernel width]
  Ints stride{1, 1};
  Ints padding{0, 0};
  Ints dilation{1, 1};
  int64_t groups = 1;

  int64_t places(size_t i) const {  // along the height (0) or the width (1)
    return (x[2 + i] + 2 * padding[i] - dilation[i] * (weight[2 + i] - 1) - 1) / stride[i] + 1;
  }
};

size_t at(const Ints& shape, int64_t a, int64_t b, int64_t c, int64_t d) {
  return static_cast<size_t>(((a * shape[1] + b) * shape[2] + c) * shape[3] + d);
}

// One output of a convolution as anybody would write it down.
double direct_conv2d(const Case& c, const std::vector<double>& x, const std::vector<double>& weight,
                     int64_t n, int64_t out, int64_t row, int64_t column) {
  const int64_t first_channel = out / (c.weight[0] / c.groups) * c.weight[1];
  double sum = 0;
  for (int64_t channel = 0; channel < c.weight[1]; ++channel) {
    for (int64_t i = 0; i < c.weight[2]; ++i) {
      for (int64_t j = 0; j < c.weight[3]; ++j) {
        const int64_t y = row * c.stride[0] - c.padding[0] + i * c.dilation[0];
        const int64_t z = column * c.stride[1] - c.padding[1] + j * c.dilation[1];
        if (y < 0 || y >= c.x[2] || z < 0 || z >= c.x[3]) continue;
        sum +=
            weight[at(c.weight, out, channel, i, j)] * x[at(c.x, n, first_channel + channel, y, z)];
      }
    }
  }
  return sum;
}

std::vector<double> direct_conv2d(const Case& c, const std::vector<double>& x,
                                  const std::vector<double>& weight,
                                  const std::vector<double>& bias) {
  std::vector<double> result;
  for (int64_t n = 0; n < c.x[0]; ++n) {
    for (int64_t out = 0; out < c.weight[0]; ++out) {
      for (int64_t row = 0; row < c.places(0); ++row) {
        for (int64_t column = 0; column < c.places(1); ++column) {
          result.push_back(direct_conv2d(c, x, weight, n, out, row, column) +
                           bias[static_cast<size_t>(out)]);
        }
      }
    }
  }
  return result;
}

// Small whole numbers, so that sums are exact in any order.
std::vector<double> draw(SplitMix64& random, const Ints& shape) {
  int64_t count = 1;
  for (const int64_t size : shape) count *= size;
  std::vector<double> values;
  for (int64_t i = 0; i < count; ++i) {
    values.push_back(static_cast<double>(random.integer(-5, 5)));
  }
  return values;
}

Shape sizes(const Ints& ints) { return Shape(ints.begin(), ints.end()); }

class Convolution : public testing::TestWithParam<Case> {};

TEST_P(Convolution, AgreesWithTheDirectLoop) {
  const Case& c = GetParam();
  SplitMix64 random(1);
  const auto x = draw(random, c.x);
  const auto weight = draw(random, c.weight);
  const auto bias = draw(random, {c.weight[0]});
  const Tensor bias_tensor = Tensor::of(bias, {c.weight[0]});
  const Tensor y = conv2d(Tensor::of(x, sizes(c.x)), Tensor::of(weight, sizes(c.weight)),
                          bias_tensor, c.stride, c.padding, c.dilation, c.groups);
  EXPECT_EQ(y.to_vector<double>(), direct_conv2d(c, x, weight, bias));

  if (c.x[2] != 1) return;  // the rest is about one dimension
  const Tensor y1 = conv1d(Tensor::of(x, {c.x[0], c.x[1], c.x[3]}),
                           Tensor::of(weight, {c.weight[0], c.weight[1], c.weight[3]}), bias_tensor,
                           {c.stride[1]}, {c.padding[1]}, {c.dilation[1]}, c.groups);
  EXPECT_EQ(y1.rank(), 3);
  EXPECT_EQ(y1.to_vector<double>(), y.to_vector<double>());
}

INSTANTIATE_TEST_SUITE_P(
    Cases, Convolution,
    testing::Values(Case{{2, 3, 5, 7}, {5, 3, 3, 2}},                           //
                    Case{{1, 2, 7, 7}, {3, 2, 3, 3}, {2, 3}, {1, 2}},           //
                    Case{{2, 1, 9, 11}, {2, 1, 3, 3}, {1, 2}, {2, 0}, {2, 3}},  //
                    Case{{1, 4, 5, 5}, {6, 2, 3, 3}, {1, 1}, {1, 1}, {1, 1}, 2},
                    Case{{2, 3, 4, 5}, {6, 1, 2, 3}, {2, 1}, {0, 0}, {1, 1}, 3},
                    Case{{2, 3, 1, 11}, {4, 3, 1, 4}, {1, 2}, {0, 1}, {1, 2}},
                    Case{{1, 1, 1, 1}, {1, 1, 1, 1}},  //
                    Case{{0, 2, 3, 3}, {2, 2, 3, 3}}));

TEST(Convolution, SaysWhichWeightItExpected) {
  try {
    conv2d(zeros({1, 4, 5, 5}), zeros({6, 3, 3, 3}), {}, {1}, {0}, {1}, 2);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::shape);
    EXPECT_NE(error.expected().find("[1, 4, 5, 5]"), std::string::npos) << error.what();
    EXPECT_EQ(error.given(), "[6, 3, 3, 3]");
  }
  EXPECT_THROW(conv2d(zeros({4, 5, 5}), zeros({6, 4, 3, 3})), Error);
  EXPECT_THROW(conv2d(zeros({1, 4, 5, 5}), zeros({6, 4, 7, 3})), Error);
  EXPECT_THROW(conv2d(zeros({1, 4, 5, 5}), zeros({6, 4, 3, 3}), zeros({5})), Error);
  EXPECT_THROW(conv2d(zeros({1, 4, 5, 5}), zeros({6, 4, 3, 3}), {}, {1, 1, 1}), Error);
}

TEST(MaxPool, TakesTheLargestOfEachWindow) {
  const Tensor x = Tensor::of<float>({1, 5, 2, -3, -1, -2, 7}, {1, 1, 7});
  EXPECT_EQ(max_pool1d(x, {2}).to_vector<float>(), (Floats{5, 2, -1}));
  EXPECT_EQ(max_pool1d(x, {3}, {2}, {1}).to_vector<float>(), (Floats{5, 5, -1, 7}));
}

TEST(MaxPool, LetsPaddingNeverWin) {
  const Tensor x = Tensor::of<float>({-5, -7}, {1, 1, 2});
  EXPECT_EQ(max_pool1d(x, {2}, {1}, {1}).to_vector<float>(), (Floats{-5, -5, -7}));
  for (const DType dtype : {i64, i32, i8}) {
    const Tensor y = max_pool1d(cast(x, dtype), {2}, {1}, {1});
    EXPECT_EQ(y.dtype(), dtype);
    EXPECT_EQ(y.to_vector<float>(), (Floats{-5, -5, -7}));
  }
  EXPECT_THROW(max_pool1d(x, {2}, {1}, {2}), Error);
}

TEST(MaxPool, WorksInTwoDimensions) {
  const Tensor x = reshape(arange(12, f32), {1, 1, 3, 4});
  const Tensor y = max_pool2d(x, {2, 2}, {1, 2});
  EXPECT_EQ(to_text(y.shape()), "[1, 1, 2, 2]");
  EXPECT_EQ(y.to_vector<float>(), (Floats{5, 7, 9, 11}));
}

TEST(AvgPool, CountsPaddingAsZeros) {
  const Tensor x = Tensor::of<float>({2, 4, 6, 8}, {1, 1, 4});
  EXPECT_EQ(avg_pool1d(x, {2}).to_vector<float>(), (Floats{3, 7}));
  EXPECT_EQ(avg_pool1d(x, {2}, {2}, {1}).to_vector<float>(), (Floats{1, 5, 4}));
}

TEST(AvgPool, WorksInTwoDimensions) {
  const Tensor x = reshape(arange(12, f32), {1, 1, 3, 4});
  EXPECT_EQ(avg_pool2d(x, {2}, {1, 2}).to_vector<float>(), (Floats{2.5, 4.5, 6.5, 8.5}));
}

}  // namespace
}  // namespace ridge::convolution_test

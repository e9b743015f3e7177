#include "ridge/nn/batch_norm.h"

#include <gtest/gtest.h>

#include <cmath>

#include "ridge/aot/transforms.h"
#include "ridge/nn/layers.h"
#include "ridge/nn/optimizer.h"
#include "ridge/ridge.h"

namespace ridge::testing::batch_norm_test {
namespace {

// [batch 2, channels 2, 3]: six values of each channel.
const std::vector<double> kValues = {1, 2, 4, -1, 0, 3, 5, 7, 9, 2, 2, 6};

double value_at(int64_t channel, int64_t i) {
  return kValues[static_cast<size_t>(i / 3 * 6 + channel * 3 + i % 3)];
}

struct Statistics {
  double mean = 0, squares = 0;  // sum of squared distances
  explicit Statistics(int64_t channel) {
    for (int64_t i = 0; i < 6; ++i) mean += value_at(channel, i) / 6;
    for (int64_t i = 0; i < 6; ++i) squares += std::pow(value_at(channel, i) - mean, 2);
  }
};

TEST(BatchNorm, NormalizesChannelsAndMovesItsStatistics) {
  nn::BatchNorm norm(2, f64);
  norm.weight = Tensor::of<double>({2, 3}, {2});
  norm.bias = Tensor::of<double>({-1, 1}, {2});
  const Tensor x = Tensor::of<double>(kValues, {2, 2, 3});
  const auto y = norm(x).to_vector<double>();
  const auto means = norm.running_mean.to_vector<double>();
  const auto variances = norm.running_variance.to_vector<double>();
  for (int64_t channel = 0; channel < 2; ++channel) {
    const Statistics expected(channel);
    const auto c = static_cast<size_t>(channel);
    EXPECT_NEAR(means[c], 0.1 * expected.mean, 1e-12);
    EXPECT_NEAR(variances[c], 0.9 + 0.1 * expected.squares / 5, 1e-12);
    for (int64_t i = 0; i < 6; ++i) {
      const double normal =
          (value_at(channel, i) - expected.mean) / std::sqrt(expected.squares / 6 + 1e-5);
      EXPECT_NEAR(y[static_cast<size_t>(i / 3 * 6 + channel * 3 + i % 3)],
                  channel == 0 ? 2 * normal - 1 : 3 * normal + 1, 1e-9);
    }
  }
}

TEST(BatchNorm, UsesItsStatisticsAsTheyAreWhenItDoesNotTrain) {
  nn::BatchNorm norm(2, f64);
  norm.is_training = false;
  norm.running_mean = Tensor::of<double>({1, 2}, {2});
  norm.running_variance = Tensor::of<double>({4, 9}, {2});
  const auto y = norm(Tensor::of<double>({3, 5}, {1, 2})).to_vector<double>();
  EXPECT_NEAR(y[0], 1, 1e-5);
  EXPECT_NEAR(y[1], 1, 1e-5);
  EXPECT_EQ(norm.running_mean.to_vector<double>(), (std::vector<double>{1, 2}));
}

TEST(BatchNorm, KeepsStatisticsOf16BitInputsInF32) {
  const nn::BatchNorm norm(2, bf16);
  EXPECT_EQ(norm(cast(Tensor::of<double>(kValues, {2, 2, 3}), bf16)).dtype(), bf16);
  EXPECT_EQ(norm.running_mean.dtype(), f32);
  EXPECT_NEAR(norm.running_mean.to_vector<float>()[0], 0.1 * Statistics(0).mean, 1e-6);
}

TEST(BatchNorm, SaysWhichInputItCannotTake) {
  const nn::BatchNorm norm(2);
  for (const Tensor& x : {ones({2}), ones({4, 3}), ones({1, 2})}) {
    try {
      norm(x);
      FAIL() << describe(x);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::shape);
      EXPECT_STREQ(error.where()->file_name(), __FILE__);
    }
  }
  EXPECT_EQ(norm.running_mean.to_vector<float>(), (std::vector<float>{0, 0}));
}

struct Model {
  nn::Linear up, down;
  nn::BatchNorm norm;
  explicit Model(uint64_t seed) : norm(8) {
    Generator generator(seed);
    up = nn::Linear(2, 8, generator);
    down = nn::Linear(8, 1, generator);
  }
  Tensor operator()(const Tensor& x) const { return down(relu(norm(up(x)))); }
  static void visit_tensors(auto& self, auto&& visit) {
    visit("up", self.up);
    visit("norm", self.norm);
    visit("down", self.down);
  }
};

Tensor train(Model& model, nn::Sgd<Model>& optimizer, const Tensor& x, const Tensor& y) {
  const auto loss = [](const Model& m, const Tensor& in, const Tensor& out) {
    return mse_loss(m(in), out);
  };
  auto [value, gradient] = value_and_grad(loss)(model, x, y);
  optimizer.update(model, gradient);
  return value;
}

TEST(BatchNorm, TrainsInACompiledStepAsEagerly) {
  Generator generator(7);
  const Tensor x = uniform({64, 2}, generator, -1, 1), y = prod(x, {1}, true);
  Model eager(1), compiled(1);
  // No Adam: it would make steps of the bias before the norm, whose gradient is nothing but rounding.
  nn::Sgd eager_optimizer(eager, {.learning_rate = 0.1, .momentum = 0.9}),
      compiled_optimizer(compiled, {.learning_rate = 0.1, .momentum = 0.9});
  const auto step = compile(train, {.name = "train"});
  double first = 0, last = 0;
  for (int i = 0; i < 60; ++i) {
    last = step(compiled, compiled_optimizer, x, y).item<double>();
    if (i == 0) first = last;
    if (i < 5) {
      EXPECT_NEAR(train(eager, eager_optimizer, x, y).item<double>(), last, 1e-4);
    }
    if (i == 4) {
      const auto expected = eager.norm.running_mean.to_vector<float>();
      const auto actual = compiled.norm.running_mean.to_vector<float>();
      for (size_t c = 0; c < 8; ++c) EXPECT_NEAR(actual[c], expected[c], 1e-5);
    }
  }
  EXPECT_LT(last, 0.5 * first);

  // By the running statistics, which have come near those of the batch.
  compiled.norm.is_training = false;
  const auto predict = compile([](const Model& model, const Tensor& in) { return model(in); });
  EXPECT_LT(mse_loss(predict(compiled, x), y).item<double>(), 2 * last + 0.01);
}

TEST(BatchNorm, LeavesNoHistoryInItsStatistics) {
  const nn::BatchNorm norm(2);
  const Tensor x = ones({2, 2});
  set_requires_grad(x);
  norm(x);
  EXPECT_FALSE(norm.running_mean.requires_grad());
}

}  // namespace
}  // namespace ridge::testing::batch_norm_test

#include "ridge/nn/dynamic_loss_scale.h"

#include <gtest/gtest.h>

#include <cmath>

#include "../capture/compiled.h"
#include "ridge/nn/optimizer.h"

namespace ridge::testing::dynamic_loss_scale_test {
namespace {

struct Weights {
  Tensor w;
  static void visit_tensors(auto& self, auto&& visit) { visit("w", self.w); }
};

using Adam = nn::AdamW<Weights>;

// The square of an f16 product, whose gradient overflows where the loss is scaled too much.
Tensor objective(const Weights& model, const Tensor& x) {
  const AutocastScope autocast(f16);
  return sum(cast(matmul(x, model.w), f32));
}

TEST(DynamicLossScale, SkipsCountsAndRecovers) {
  Weights model{random({8, 4}, 1)};
  Adam optimizer(model, {.learning_rate = 0.01});
  nn::DynamicLossScale scale({.factor = 65536, .growth_interval = 2});
  Compiled step([](Weights& m, Adam& o, nn::DynamicLossScale& s, const Tensor& x) {
    auto [loss, gradient] = nn::scaled_value_and_grad(objective, s)(m, x);
    const Tensor is_good = nn::all_finite(gradient);
    o.update_if(is_good, m, gradient);
    s.adjust(is_good);
    return loss;
  });
  // Gradients of w are sums of x, times the factor: beyond 65504 in f16.
  const Tensor x = random({16, 8}, 2) + 4;
  const auto start = model.w.to_vector<float>();
  int64_t skipped = 0;
  while (skipped < 30 && optimizer.step.item<int64_t>() == 0) {
    const double before = scale.factor.item<double>();
    EXPECT_TRUE(std::isfinite(step(model, optimizer, scale, x).item<double>()));
    if (optimizer.step.item<int64_t>() > 0) break;
    ++skipped;
    EXPECT_EQ(scale.factor.item<double>(), before / 2);
    EXPECT_EQ(model.w.to_vector<float>(), start);
    EXPECT_EQ(sum(abs(optimizer.first_moment.w)).item<double>(), 0);
  }
  EXPECT_GT(skipped, 2);
  EXPECT_EQ(scale.skipped.item<int64_t>(), skipped);
  EXPECT_NE(model.w.to_vector<float>(), start);
  const double good = scale.factor.item<double>();
  step(model, optimizer, scale, x);
  EXPECT_EQ(scale.factor.item<double>(), 2 * good) << "two good steps in a row";
  EXPECT_EQ(scale.good_steps.item<int64_t>(), 0);
  EXPECT_EQ(step.count(), 1u);
}

TEST(DynamicLossScale, WhatIsUnscaledIsWhatItWas) {
  const Weights model{random({8, 4}, 1)};
  const Tensor x = random({16, 8}, 2);
  const auto plain = [](const Weights& m, const Tensor& in) { return sum(matmul(in, m.w)); };
  const auto [loss, gradient] = value_and_grad(plain)(model, x);
  const nn::DynamicLossScale scale({.factor = 1024});
  const auto [scaled_loss, scaled_gradient] = nn::scaled_value_and_grad(plain, scale)(model, x);
  EXPECT_EQ(scaled_loss.item<double>(), loss.item<double>());
  EXPECT_EQ(scaled_gradient.w.to_vector<float>(), gradient.w.to_vector<float>());
}

TEST(DynamicLossScale, StaysBetweenItsBounds) {
  nn::DynamicLossScale scale({.factor = 4, .growth_interval = 1, .least = 2, .most = 8});
  const Tensor good = full({}, 1, boolean), bad = full({}, 0, boolean);
  for (int i = 0; i < 3; ++i) scale.adjust(good);
  EXPECT_EQ(scale.factor.item<double>(), 8);
  for (int i = 0; i < 5; ++i) scale.adjust(bad);
  EXPECT_EQ(scale.factor.item<double>(), 2);
  EXPECT_EQ(scale.skipped.item<int64_t>(), 5);
}

}  // namespace
}  // namespace ridge::testing::dynamic_loss_scale_test

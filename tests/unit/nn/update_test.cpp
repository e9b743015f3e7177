// What all optimizers share: groups, conditions, masters; and the rules of Adam and Lion.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "../capture/compiled.h"
#include "ridge/nn/optimizer.h"

namespace ridge::testing::update_test {
namespace {

struct Layer {
  Tensor weight;
  Tensor bias;
  static void visit_tensors(auto& self, auto&& visit) {
    visit("weight", self.weight);
    visit("bias", self.bias);
  }
};

Layer make_layer(uint64_t seed, DType dtype = f64) {
  return {random({2, 3}, seed, dtype), random({3}, seed + 1, dtype)};
}

std::vector<std::vector<double>> values_of(auto& state) {
  std::vector<std::vector<double>> values;
  for_each_tensor(state, [&](const std::string&, Tensor& tensor) {
    if (tensor.defined()) values.push_back(cast(tensor, f64).to_vector<double>());
  });
  return values;
}

TEST(ParameterGroups, HaveTheirOwnRateAndDecay) {
  Layer grouped = make_layer(1), alone = make_layer(1);
  const nn::AdamWOptions options{.learning_rate = 0.1, .weight_decay = 0.5};
  nn::AdamW one(grouped, options, {{.has = nn::is_vector, .rate_factor = 0.25, .weight_decay = 0}});
  nn::AdamW of_weight(alone, options);
  nn::AdamW of_bias(alone, {.learning_rate = 0.025, .weight_decay = 0});
  for (uint64_t i = 0; i < 3; ++i) {
    const Layer gradient = make_layer(10 + i);
    one.update(grouped, gradient);
    of_weight.update(alone, {gradient.weight, Tensor()});
    of_bias.update(alone, {Tensor(), gradient.bias});
  }
  EXPECT_EQ(values_of(grouped), values_of(alone));
}

TEST(ParameterGroups, AFrozenOneIsNotTouched) {
  Layer layer = make_layer(1);
  const auto before = layer.bias.to_vector<double>();
  nn::Sgd optimizer(layer, {.learning_rate = 0.1, .momentum = 0.9, .weight_decay = 0.1},
                    {{.has = [](const std::string& path, const Tensor&) { return path == "bias"; },
                      .rate_factor = 0}});
  const auto weight = layer.weight.to_vector<double>();
  optimizer.update(layer, make_layer(2));
  EXPECT_EQ(layer.bias.to_vector<double>(), before);
  EXPECT_EQ(sum(abs(optimizer.velocity.bias)).item<double>(), 0);
  EXPECT_NE(layer.weight.to_vector<double>(), weight);
}

// Every optimizer, with a gradient that is not finite: nothing changes, not even the count.
template <class Optimizer>
void expect_skipped(Optimizer optimizer, Layer layer) {
  const Tensor no = full({}, 0, boolean), yes = full({}, 1, boolean);
  optimizer.update_if(yes, layer, make_layer(5));
  const auto layer_before = values_of(layer), state_before = values_of(optimizer);
  Layer bad = make_layer(6);
  fill_(select(bad.weight, 0, 1), std::numeric_limits<double>::infinity());
  fill_(bad.bias, std::numeric_limits<double>::quiet_NaN());
  Compiled step([](Layer& model, Optimizer& one, const Layer& gradient, const Tensor& condition) {
    one.update_if(condition, model, gradient);
  });
  optimizer.update_if(no, layer, bad);
  step(layer, optimizer, bad, no);
  EXPECT_EQ(values_of(layer), layer_before);
  EXPECT_EQ(values_of(optimizer), state_before);
  EXPECT_EQ(optimizer.step.template item<int64_t>(), 1);
  step(layer, optimizer, make_layer(7), yes);
  EXPECT_NE(values_of(layer), layer_before);
  EXPECT_EQ(optimizer.step.template item<int64_t>(), 2);
  EXPECT_EQ(step.count(), 1u);
}

TEST(UpdateIf, LeavesEverythingWhereTheConditionIsFalse) {
  const auto fresh = [] { return make_layer(1); };
  expect_skipped(nn::Sgd(fresh(), {.momentum = 0.9}), fresh());
  expect_skipped(nn::Adam(fresh()), fresh());
  expect_skipped(nn::AdamW(fresh()), fresh());
  expect_skipped(nn::Lion(fresh()), fresh());
  const auto narrow = [] { return make_layer(1, bf16); };
  expect_skipped(nn::AdamW(narrow(), {.learning_rate = 0.1, .keeps_masters = true}), narrow());
}

// Steps of 2^-12 are below the resolution of a bf16 near 1, which is 2^-8.
TEST(Masters, AddUpWhatTheParameterCannotHold) {
  for (const bool keeps : {false, true}) {
    Layer layer{full({4}, 1, bf16), Tensor()};
    nn::Sgd optimizer(layer, {.learning_rate = 0x1p-12, .keeps_masters = keeps});
    for (int i = 0; i < 64; ++i) optimizer.update(layer, {full({4}, 1, bf16), Tensor()});
    const double expected = keeps ? 1 - 64 * 0x1p-12 : 1;
    EXPECT_EQ(cast(layer.weight, f64).to_vector<double>(), std::vector<double>(4, expected));
    EXPECT_EQ(optimizer.master.weight.defined(), keeps);
    if (keeps) {
      EXPECT_EQ(optimizer.master.weight.dtype(), f32);
    }
  }
}

TEST(Adam, AddsDecayToTheGradient) {
  Layer layer = make_layer(1);
  const nn::AdamOptions o{.learning_rate = 0.05, .weight_decay = 0.1};
  nn::Adam optimizer(layer, o);
  std::vector<double> p = layer.weight.to_vector<double>(), m(p.size()), v(p.size());
  for (uint64_t step = 1; step <= 5; ++step) {
    const Layer gradient = make_layer(step + 20);
    const auto given = gradient.weight.to_vector<double>();
    for (size_t i = 0; i < p.size(); ++i) {
      const double g = given[i] + o.weight_decay * p[i], t = static_cast<double>(step);
      m[i] = o.beta1 * m[i] + (1 - o.beta1) * g;
      v[i] = o.beta2 * v[i] + (1 - o.beta2) * g * g;
      p[i] -= o.learning_rate * m[i] / (1 - std::pow(o.beta1, t)) /
              (std::sqrt(v[i] / (1 - std::pow(o.beta2, t))) + o.eps);
    }
    optimizer.update(layer, gradient);
  }
  const auto actual = layer.weight.to_vector<double>();
  for (size_t i = 0; i < p.size(); ++i) EXPECT_NEAR(actual[i], p[i], 1e-13);
}

TEST(Lion, StepsByTheSignOfAMixture) {
  Layer layer = make_layer(1);
  const nn::LionOptions o{.learning_rate = 0.05, .weight_decay = 0.1};
  nn::Lion optimizer(layer, o);
  std::vector<double> p = layer.bias.to_vector<double>(), m(p.size());
  for (uint64_t step = 1; step <= 5; ++step) {
    const Layer gradient = make_layer(step + 20);
    const auto g = gradient.bias.to_vector<double>();
    for (size_t i = 0; i < p.size(); ++i) {
      const double mixture = o.beta1 * m[i] + (1 - o.beta1) * g[i];
      p[i] = p[i] * (1 - 0.05 * 0.1) - 0.05 * (mixture > 0 ? 1 : -1);
      m[i] = o.beta2 * m[i] + (1 - o.beta2) * g[i];
    }
    optimizer.update(layer, gradient);
  }
  const auto actual = layer.bias.to_vector<double>();
  for (size_t i = 0; i < p.size(); ++i) EXPECT_NEAR(actual[i], p[i], 1e-13);
}

TEST(ClipByNorm, ShortensWhatIsTooLong) {
  Layer gradient = make_layer(3, f32);
  double squares = 0;
  for (const auto& list : values_of(gradient)) {
    for (const double x : list) squares += x * x;
  }
  const double norm = std::sqrt(squares);
  const auto before = values_of(gradient);
  EXPECT_NEAR(nn::clip_by_norm(gradient, 100).item<double>(), norm, 1e-6 * norm);
  EXPECT_EQ(values_of(gradient), before);
  EXPECT_NEAR(nn::clip_by_norm(gradient, 0.5).item<double>(), norm, 1e-6 * norm);
  EXPECT_NEAR(nn::norm_of(gradient).item<double>(), 0.5, 1e-5);
  EXPECT_TRUE(nn::all_finite(gradient).item<bool>());
  fill_(select(gradient.bias, 0, 1), std::numeric_limits<double>::infinity());
  EXPECT_FALSE(nn::all_finite(gradient).item<bool>());
  EXPECT_FALSE(is_finite(nn::norm_of(gradient)).item<bool>());
}

}  // namespace
}  // namespace ridge::testing::update_test

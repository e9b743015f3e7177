#include "ridge/nn/optimizer.h"

#include <gtest/gtest.h>

#include <cmath>

#include "../capture/compiled.h"
#include "ridge/aot/transforms.h"
#include "ridge/nn/layers.h"

namespace ridge::testing::optimizer_test {
namespace {

struct Model {
  Tensor a;
  std::vector<Tensor> rest;  // a parameter, and integers
  static void visit_tensors(auto& self, auto&& visit) {
    visit("a", self.a);
    visit("rest", self.rest);
  }
};

Model make_model(DType dtype, uint64_t seed = 1) {
  return {random({2, 3}, seed, dtype), {random({4}, seed + 1, dtype), arange(3)}};
}

Model gradient_of(uint64_t seed, DType dtype = f64) {
  return {random({2, 3}, seed + 100, dtype), {random({4}, seed + 200, dtype), Tensor()}};
}

// AdamW of one parameter in plain doubles.
struct ScalarAdamW {
  double m = 0;
  double v = 0;
  int t = 0;
  double step(double p, double g, double rate, const nn::AdamWOptions& o) {
    ++t;
    m = o.beta1 * m + (1 - o.beta1) * g;
    v = o.beta2 * v + (1 - o.beta2) * g * g;
    const double corrected_m = m / (1 - std::pow(o.beta1, t));
    const double corrected_v = v / (1 - std::pow(o.beta2, t));
    p -= rate * o.weight_decay * p;
    return p - rate * corrected_m / (std::sqrt(corrected_v) + o.eps);
  }
};

void expect_adamw(DType dtype, double tolerance) {
  Model model = make_model(dtype);
  const nn::AdamWOptions options{.learning_rate = 0.05, .weight_decay = 0.1};
  nn::AdamW optimizer(model, options);
  std::vector<double> expected = model.a.to_vector<double>();
  std::vector<ScalarAdamW> states(expected.size());
  const Tensor a = model.a;
  for (uint64_t step = 0; step < 20; ++step) {
    const double rate = step < 10 ? 0.05 : 0.01;
    if (step == 10) fill_(optimizer.learning_rate, 0.01);
    const Model gradient = gradient_of(step, dtype);
    const auto g = gradient.a.to_vector<double>();
    for (size_t i = 0; i < expected.size(); ++i) {
      expected[i] = states[i].step(expected[i], g[i], rate, options);
    }
    optimizer.update(model, gradient);
  }
  EXPECT_TRUE(model.a.is_same(a)) << "written in place";
  EXPECT_EQ(optimizer.step.item<int64_t>(), 20);
  const auto actual = model.a.to_vector<double>();
  for (size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(actual[i], expected[i], tolerance);
}

TEST(AdamW, IsTheLoopInDoubles) { expect_adamw(f64, 1e-13); }

// Twenty steps of at most 0.1, each rounded a few times.
TEST(AdamW, InSinglePrecision) { expect_adamw(f32, 20 * 8 * 2.4e-7); }

// A bf16 parameter below 2.5 is rounded to 2^-8 in each step.
TEST(AdamW, StateOf16BitParametersIsWide) {
  expect_adamw(bf16, 20 * 0x1p-8);
  Model model = make_model(bf16);
  const nn::AdamW optimizer(model);
  EXPECT_EQ(optimizer.first_moment.a.dtype(), f32);
  EXPECT_FALSE(optimizer.first_moment.rest[1].defined()) << "integers have no state";
}

TEST(AdamW, StateIsNamedByTheModel) {
  nn::AdamW optimizer(make_model(f32));
  std::vector<std::string> names;
  for_each_tensor(optimizer, [&](const std::string& path, Tensor&) { names.push_back(path); });
  const std::vector<std::string> expected = {"learning_rate",
                                             "step",
                                             "first_moment.a",
                                             "first_moment.rest.0",
                                             "first_moment.rest.1",
                                             "second_moment.a",
                                             "second_moment.rest.0",
                                             "second_moment.rest.1",
                                             "master.a",
                                             "master.rest.0",
                                             "master.rest.1"};
  EXPECT_EQ(names, expected);
}

TEST(AdamW, ParametersWithoutGradientAreLeftAlone) {
  Model model = make_model(f32);
  const auto before = model.a.to_vector<float>();
  const auto integers = model.rest[1].to_vector<int64_t>();
  nn::AdamW optimizer(model);
  optimizer.update(model, {Tensor(), {ones({4}), Tensor()}});
  EXPECT_EQ(model.a.to_vector<float>(), before);
  EXPECT_EQ(model.rest[1].to_vector<int64_t>(), integers);
}

TEST(AdamW, ACapturedStepIsTheEagerOne) {
  Model eager = make_model(f64);
  Model captured{clone(eager.a), {clone(eager.rest[0]), eager.rest[1]}};
  nn::AdamW eager_optimizer(eager);
  nn::AdamW captured_optimizer(captured);
  Compiled step([](Model& model, nn::AdamW<Model>& optimizer, const Model& gradient) {
    optimizer.update(model, gradient);
  });
  for (uint64_t i = 0; i < 3; ++i) {
    eager_optimizer.update(eager, gradient_of(i));
    step(captured, captured_optimizer, gradient_of(i));
    if (i == 1) fill_(captured_optimizer.learning_rate, 0.5);
    if (i == 1) fill_(eager_optimizer.learning_rate, 0.5);
  }
  EXPECT_EQ(step.count(), 1u);
  EXPECT_EQ(captured.a.to_vector<double>(), eager.a.to_vector<double>());
  EXPECT_EQ(captured.rest[0].to_vector<double>(), eager.rest[0].to_vector<double>());
  captured_optimizer.options.beta1 = 0.5;
  step(captured, captured_optimizer, gradient_of(4));
  EXPECT_EQ(step.count(), 2u) << "a number of the optimizer is part of the signature";
}

TEST(Sgd, WithMomentumAndDecay) {
  for (const bool is_nesterov : {false, true}) {
    Model model = make_model(f64);
    nn::Sgd optimizer(
        model,
        {.learning_rate = 0.1, .momentum = 0.9, .weight_decay = 0.01, .is_nesterov = is_nesterov});
    std::vector<double> p = model.a.to_vector<double>();
    std::vector<double> v(p.size());
    for (uint64_t step = 0; step < 5; ++step) {
      const Model gradient = gradient_of(step);
      const auto g = gradient.a.to_vector<double>();
      for (size_t i = 0; i < p.size(); ++i) {
        const double total = g[i] + 0.01 * p[i];
        v[i] = 0.9 * v[i] + total;
        p[i] -= 0.1 * (is_nesterov ? total + 0.9 * v[i] : v[i]);
      }
      optimizer.update(model, gradient);
    }
    const auto actual = model.a.to_vector<double>();
    for (size_t i = 0; i < p.size(); ++i) EXPECT_NEAR(actual[i], p[i], 1e-13);
  }
}

TEST(Sgd, WithoutMomentumKeepsNoState) {
  Model model = make_model(f32);
  nn::Sgd optimizer(model, {.learning_rate = 0.5});
  EXPECT_FALSE(optimizer.velocity.a.defined());
  const auto expected = (model.a - 0.5 * gradient_of(1, f32).a).to_vector<float>();
  optimizer.update(model, gradient_of(1, f32));
  EXPECT_EQ(model.a.to_vector<float>(), expected);
}

}  // namespace
}  // namespace ridge::testing::optimizer_test

// Buffers: state of a model that is not trained (Note [Buffers] in core/visit_tensors.h).
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ridge/aot/jvp.h"
#include "ridge/aot/transforms.h"
#include "ridge/nn/accumulate.h"
#include "ridge/nn/dynamic_loss_scale.h"
#include "ridge/nn/layers.h"
#include "ridge/nn/optimizer.h"
#include "ridge/ridge.h"

namespace ridge::testing::buffers_test {
namespace {

// A scale that is trained, the largest input seen, which is not, and a copy of the scale, which is not
// either although it has the form of a model.
struct Average {
  Tensor scale;
  static void visit_tensors(auto& self, auto&& visit) { visit("scale", self.scale); }
};

struct Model {
  Tensor scale = Tensor::of<float>({1, 2, 3}, {3});
  Tensor largest = Tensor::of<float>({0.5, 0.5, 0.5}, {3});
  Average average{Tensor::of<float>({4, 4, 4}, {3})};
  Tensor shift = Tensor::of<float>({0.25, 0.5, 1}, {3});

  static void visit_tensors(auto& self, auto&& visit) {
    visit("scale", self.scale);
    visit(buffer("largest"), self.largest);
    visit(buffer("average"), self.average);
    visit("shift", self.shift);
  }
};

Tensor inputs() { return Tensor::of<float>({1, -2, 0.25, 3, 0.125, 4}, {2, 3}); }

// Reads one buffer, writes both.
Tensor loss_of(const Model& model, const Tensor& x) {
  copy_(model.largest, maximum(model.largest, max(x, {0})));
  copy_(model.average.scale, 0.5 * model.average.scale + 0.5 * detach(model.scale));
  return mean(square(x * model.scale / model.largest + model.shift));
}

std::vector<float> values(const Tensor& tensor) { return tensor.to_vector<float>(); }

void expect_buffers(const Model& model) {
  EXPECT_EQ(values(model.largest), (std::vector<float>{3, 0.5, 4}));
  EXPECT_EQ(values(model.average.scale), (std::vector<float>{2.5, 3, 3.5}));
}

TEST(Buffers, AreVisitedByNameAmongTheTensorsAndApartFromParameters) {
  Model model;
  std::vector<std::string> all, parameters;
  for_each_tensor(model, [&](const std::string& path, Tensor&) { all.push_back(path); });
  for_each_parameter(model, [&](const std::string& path, Tensor&) { parameters.push_back(path); });
  EXPECT_EQ(all, (std::vector<std::string>{"scale", "largest", "average.scale", "shift"}));
  EXPECT_EQ(parameters, (std::vector<std::string>{"scale", "shift"}));
}

TEST(Buffers, HaveNoGradientAndAreWritten) {
  Model model;
  auto [value, gradient] = value_and_grad(loss_of)(model, inputs());
  EXPECT_FALSE(gradient.largest.defined());
  EXPECT_FALSE(gradient.average.scale.defined());
  EXPECT_TRUE(gradient.scale.defined() && gradient.shift.defined());
  expect_buffers(model);
}

TEST(Buffers, AreNoArgumentThatALossMustDependOn) {
  Model model;
  const auto loss = [](const Model& m) { return sum(m.scale * m.shift); };
  EXPECT_FALSE(value_and_grad(loss)(model).second.largest.defined());
  EXPECT_FALSE(grad(loss)(model).average.scale.defined());
  EXPECT_FALSE(vjp(loss)(model).second(ones({})).largest.defined());
}

struct Statistics {
  Tensor mean = ones({2});
  static void visit_tensors(auto& self, auto&& visit) { visit(buffer("mean"), self.mean); }
};

TEST(Buffers, AloneAreNothingToDifferentiateBy) {
  Statistics statistics;
  const auto loss = [](const Statistics& s) { return sum(s.mean); };
  try {
    value_and_grad(loss)(statistics);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::dtype);
    EXPECT_NE(std::string(error.what()).find("buffer"), std::string::npos) << error.what();
  }
}

TEST(Buffers, AreNotMovedInADirection) {
  const Model model;
  Model direction;  // also for the buffers, where it is not looked at
  const auto loss = [](const Model& m) { return sum(m.scale * m.largest); };
  const Tensor derivative = jvp(loss)(model, direction).second;
  EXPECT_EQ(derivative.item<float>(), 0.5f * (1 + 2 + 3));
}

// One update from a gradient that has something in every place, as one that was made by hand may have.
template <class Optimizer>
void expect_left_alone(Optimizer optimizer) {
  for_each_tensor(optimizer, [](const std::string& path, const Tensor& tensor) {
    const bool is_of_buffer =
        path.find("largest") != std::string::npos || path.find("average") != std::string::npos;
    EXPECT_FALSE(is_of_buffer && tensor.defined()) << path;
  });
  Model model;
  optimizer.update(model, Model());
  EXPECT_EQ(values(model.largest), values(Model().largest));
  EXPECT_EQ(values(model.average.scale), values(Model().average.scale));
  EXPECT_NE(values(model.scale), values(Model().scale));
  EXPECT_NE(values(model.shift), values(Model().shift));
}

TEST(Buffers, AreLeftAloneByEveryOptimizer) {
  expect_left_alone(nn::Sgd(Model(), {.learning_rate = 0.1, .momentum = 0.9, .weight_decay = 0.5}));
  expect_left_alone(nn::Adam(Model(), {.learning_rate = 0.1, .weight_decay = 0.5}));
  expect_left_alone(nn::AdamW(Model(), {.learning_rate = 0.1, .weight_decay = 0.5}));
  expect_left_alone(nn::Lion(Model(), {.learning_rate = 0.1, .weight_decay = 0.5}));
}

Model in_bf16() {
  Model model;
  for_each_tensor(model, [](const std::string&, Tensor& tensor) { tensor = cast(tensor, bf16); });
  return model;
}

TEST(Buffers, HaveNoMaster) {
  const nn::AdamW optimizer(in_bf16(), {.keeps_masters = true});
  EXPECT_TRUE(optimizer.master.scale.defined());
  EXPECT_FALSE(optimizer.master.largest.defined());
}

TEST(Buffers, BelongToNoParameterGroup) {
  std::vector<std::string> asked;
  const auto has = [&](const std::string& path, const Tensor&) {
    asked.push_back(path);
    return path == "shift";
  };
  nn::AdamW optimizer(Model(), {.learning_rate = 0.1, .weight_decay = 0.5},
                      {{.has = has, .rate_factor = 0}});
  EXPECT_EQ(asked, (std::vector<std::string>{"scale", "shift"}));
  // The parameter behind the buffers is in its group, and they are in none.
  Model model;
  optimizer.update(model, Model());
  EXPECT_EQ(values(model.shift), values(Model().shift));
  EXPECT_EQ(values(model.largest), values(Model().largest));
  EXPECT_NE(values(model.scale), values(Model().scale));

  const auto is_buffer = [](const std::string& path, const Tensor&) { return path == "largest"; };
  EXPECT_THROW(nn::AdamW(Model(), {}, {{.has = is_buffer}}), Error);
}

TEST(Buffers, CountInNoNormAndAreNotClippedOrScaled) {
  Model gradient;
  gradient.largest = full({3}, std::numeric_limits<float>::infinity());
  EXPECT_TRUE(nn::all_finite(gradient).item<bool>());
  const double norm = std::sqrt(1 + 4 + 9 + 0.0625 + 0.25 + 1);
  EXPECT_NEAR(nn::clip_by_norm(gradient, 0.5).item<double>(), norm, 1e-5);
  EXPECT_EQ(values(gradient.average.scale), (std::vector<float>{4, 4, 4}));
  EXPECT_EQ(values(nn::LossScale(2).unscaled(gradient).average.scale),
            (std::vector<float>{4, 4, 4}));
}

Tensor train(Model& model, nn::AdamW<Model>& optimizer, const Tensor& x) {
  auto [value, gradient] = value_and_grad(loss_of)(model, x);
  nn::clip_by_norm(gradient, 1.0);
  optimizer.update(model, gradient);
  return value;
}

TEST(Buffers, TrainEagerlyAndCompiledAlike) {
  Model eager, compiled;
  nn::AdamW eager_optimizer(eager, {.learning_rate = 0.1, .weight_decay = 0.5});
  nn::AdamW compiled_optimizer(compiled, {.learning_rate = 0.1, .weight_decay = 0.5});
  const auto step = compile(train, {.name = "train"});
  for (int i = 0; i < 3; ++i) {
    const Tensor expected = train(eager, eager_optimizer, inputs());
    const Tensor value = step(compiled, compiled_optimizer, inputs());
    EXPECT_NEAR(value.item<float>(), expected.item<float>(), 1e-5);
    if (i == 0) expect_buffers(compiled);
  }
  EXPECT_EQ(values(compiled.largest), values(eager.largest));
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(values(compiled.average.scale)[i], values(eager.average.scale)[i], 1e-5);
    EXPECT_NEAR(values(compiled.scale)[i], values(eager.scale)[i], 1e-5);
  }
  EXPECT_EQ(step.programs().size(), 1u);
}

Tensor accumulate(const Model& model, const Tensor& x) {
  auto [value, gradient] = nn::accumulated_value_and_grad(loss_of, 2)(model, x);
  EXPECT_FALSE(gradient.largest.defined());
  EXPECT_FALSE(gradient.average.scale.defined());
  EXPECT_TRUE(gradient.scale.defined());
  return value;
}

TEST(Buffers, GoFromPartToPartOfABatch) {
  // Part by part by hand: the second sees what the first has left.
  Model expected;
  double sum_of_losses = 0;
  for (int64_t part = 0; part < 2; ++part) {
    sum_of_losses += loss_of(expected, slice(inputs(), 0, part, part + 1)).item<double>();
  }
  Model eager, compiled;
  const Tensor eager_value = accumulate(eager, inputs());
  const Tensor compiled_value = compile(accumulate)(compiled, inputs());
  for (const Model& model : {eager, compiled}) {
    EXPECT_EQ(values(model.largest), values(expected.largest));
    EXPECT_EQ(values(model.average.scale), values(expected.average.scale));
  }
  EXPECT_NEAR(eager_value.item<double>(), sum_of_losses / 2, 1e-5);
  EXPECT_NEAR(compiled_value.item<double>(), sum_of_losses / 2, 1e-5);
}

}  // namespace
}  // namespace ridge::testing::buffers_test

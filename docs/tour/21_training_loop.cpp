// Lesson 21: what training needs besides gradients and an optimizer, all in one compiled step.
//
// A batch that is taken in parts, so that memory holds one of them; products in f16, with a loss scale
// that finds itself, and steps that are skipped where it was too large; gradients of a limited length; a
// learning rate that follows a schedule. Each is a few ops over arguments of the step, so the host reads
// no value back, and there is one program.
#include <cmath>
#include <cstdio>

#include "ridge/nn/accumulate.h"
#include "ridge/nn/dynamic_loss_scale.h"
#include "ridge/nn/layers.h"
#include "ridge/nn/optimizer.h"
#include "ridge/nn/schedule.h"
#include "ridge/ridge.h"

using namespace ridge;

struct Model {
  nn::Linear up, down;

  explicit Model(Generator& generator) : up(2, 16, generator), down(16, 2, generator) {}
  Tensor operator()(const Tensor& points) const { return down(tanh(up(points))); }

  static void visit_tensors(auto& self, auto&& visit) {
    visit("up", self.up);
    visit("down", self.down);
  }
};
using Optimizer = nn::AdamW<Model>;

// Of one part of the batch. Gradients in f16 would lose what is small: the loss is scaled.
Tensor scaled_loss(const Model& model, const nn::DynamicLossScale& scale, const Tensor& points,
                   const Tensor& labels) {
  const AutocastScope autocast(f16);
  return scale.scaled(cross_entropy(model(points), labels));
}

Tensor train_step(Model& model, Optimizer& optimizer, nn::DynamicLossScale& scale,
                  const nn::Schedule& schedule, const Tensor& points, const Tensor& labels) {
  // Rows of points and labels are cut into four parts; each part gets the whole of the scale.
  const auto [scaled, scaled_gradient] =
      nn::accumulated_value_and_grad(scaled_loss, 4)(model, nn::whole(scale), points, labels);
  const Tensor loss = scale.unscaled(scaled);
  Model gradient = scale.unscaled(scaled_gradient);
  const Tensor norm = nn::clip_by_norm(gradient, 1.0);
  // A gradient that has left the range of f16 makes no step, and the scale smaller.
  const Tensor is_good = is_finite(norm);
  copy_(optimizer.learning_rate, schedule(optimizer.step));
  optimizer.update_if(is_good, model, gradient);
  scale.adjust(is_good);
  return loss;
}

int main() {
  // Points in a square; those within a ring around the middle are labeled 1.
  Generator generator(42);
  const Tensor points = uniform({256, 2}, generator, -1, 1);
  const Tensor labels = cast(less(abs(sum(square(points), {1}) - 0.5), 0.25), i64);

  Model model(generator);
  Optimizer optimizer(model, {.weight_decay = 0.01},
                      {{.has = nn::is_vector, .weight_decay = 0}});  // no decay of biases
  // Too much to begin with, so that a step is skipped.
  nn::DynamicLossScale scale({.factor = 16777216, .backoff = 1.0 / 64});
  const auto schedule = nn::Schedule::cosine({.peak = 0.1, .rise = 20, .total = 300});
  const auto step = compile(train_step, {.name = "train_step"});

  double first = 0, last = 0;
  for (int i = 0; i <= 300; ++i) {
    const Tensor loss = step(model, optimizer, scale, schedule, points, labels);
    if (i % 100 != 0) continue;
    last = loss.item<double>();
    if (i == 0) first = last;
    std::printf("call %3d  rate %.4f  made %3.0f  skipped %.0f\n", i,
                optimizer.learning_rate.item<double>(), optimizer.step.item<double>(),
                scale.skipped.item<double>());
  }
  std::printf("the loss is less than a third of what it was: %s\n",
              last < first / 3 ? "yes" : "no");
  const Tensor right = sum(argmax(model(points), 1) == labels);
  std::printf("right: more than 90 %%: %s\n", right.item<double>() > 0.9 * 256 ? "yes" : "no");
  std::printf("the scale went from 2^24 to 2^%.0f\n", std::log2(scale.factor.item<double>()));
  std::printf("programs: %zu\n", step.programs().size());

  // Which numbers cannot be meant is said when the optimizer is made.
  try {
    const Optimizer wrong(model, {.beta2 = 1.5});
  } catch (const Error& error) {
    std::printf("expected %s, given %s\n", error.expected().c_str(), error.given().c_str());
  }
  // Now set RIDGE_DEBUG=1 and look: the parts of the batch are one body, however many there are.
}

// Lesson 9: a whole step of training as one program.
//
// Inside compile, value_and_grad adds the gradient of a function to the graph being captured, and
// the optimizer is made of ops: so forward, backward and update are one program that writes its
// parameters in place.
#include <cstdio>
#include <iostream>
#include <string>

#include "ridge/aot/transforms.h"
#include "ridge/driver/entry.h"
#include "ridge/nn/layers.h"
#include "ridge/nn/optimizer.h"
#include "ridge/ridge.h"

using namespace ridge;

// A model is a struct that names its members; nothing else makes it one.
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

Tensor loss_of(const Model& model, const Tensor& points, const Tensor& labels) {
  return cross_entropy(model(points), labels);
}

Tensor train_step(Model& model, Optimizer& optimizer, const Tensor& points, const Tensor& labels) {
  auto [loss, gradient] = value_and_grad(loss_of)(model, points, labels);
  optimizer.update(model, gradient);
  return loss;
}

int main() {
  // The gradient has the form of the first argument, here of a number.
  const auto cube = [](const Tensor& x) { return x * x * x; };
  std::printf("x^3 at 2: first %.0f, second %.0f\n\n", grad(cube)(2.0).item<double>(),
              grad(grad(cube))(2.0).item<double>());

  // Points in a square; those within a ring around the middle are labeled 1.
  Generator generator(42);
  const Tensor points = uniform({512, 2}, generator, -1, 1);
  const Tensor distance = sum(square(points), {1});
  const Tensor labels = cast(less(abs(distance - 0.5), 0.25), i64);

  Model model(generator);
  Optimizer optimizer(model, {.learning_rate = 0.02});
  const auto step =
      compile(train_step,
              {.name = "train_step", .argument_names = {"model", "optimizer", "points", "labels"}});
  for (int i = 0; i <= 300; ++i) {
    const double loss = step(model, optimizer, points, labels).item<double>();
    if (i % 100 == 0) std::printf("step %3d  loss %.3f\n", i, loss);
    // The rate is a tensor of the optimizer: changing it needs no new program.
    if (i == 200) fill_(optimizer.learning_rate, 0.005);
  }
  const Tensor right = sum(argmax(model(points), 1) == labels);
  std::printf("right: %.0f %%\n", 100 * right.item<double>() / 512);
  std::printf("updates counted by the optimizer: %.0f\n", optimizer.step.item<double>());

  // One program for all steps. What it writes are inputs: parameters, and state of the optimizer.
  std::printf("programs: %zu, which write\n", step.programs().size());
  const graph::Graph& graph = step.programs()[0]->compiled->graph();
  for (const graph::Update& update : graph.updates) {
    std::printf("  %s\n", graph[update.input].name.c_str());
  }
  // Now set RIDGE_DEBUG=1 and look: how many nodes became how many kernels.
}

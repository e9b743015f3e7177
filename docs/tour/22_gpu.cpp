// Lesson 22: the same program on a GPU.
//
// Nothing of a program changes: it runs where its arguments are. So a model is moved, and what is made of
// it or read beside it is made there. Without a GPU this lesson runs on the CPU and prints the same.
#include <cmath>
#include <cstdio>
#include <iostream>

#include "ridge/ridge.h"

using namespace ridge;

struct Model {
  nn::Linear up, down;

  explicit Model(Generator& generator) : up(2, 32, generator), down(32, 1, generator) {}
  Tensor operator()(const Tensor& x) const { return down(gelu(up(x))); }

  static void visit_tensors(auto& self, auto&& visit) {
    visit("up", self.up);
    visit("down", self.down);
  }
};

Tensor train_step(Model& model, nn::AdamW<Model>& optimizer, const Tensor& x, const Tensor& y) {
  const auto loss_of = [&](const Model& now) { return mse_loss(now(x), y); };
  auto [loss, gradient] = value_and_grad(loss_of)(model);
  optimizer.update(model, gradient);
  return loss;
}

double train(Device device) {
  // Made on the CPU and copied, a model starts with the same numbers everywhere.
  Generator generator(42);
  Model model = nn::on_device(Model(generator), device);
  nn::AdamW optimizer(model, {.learning_rate = 0.01});  // its state is where the parameters are
  const Tensor x = to_device(uniform({256, 2}, generator, -1, 1), device);
  const Tensor y = prod(x, {1}, true);  // and so is what is computed

  const auto step = compile(train_step, {.name = "train_step"});
  Tensor loss;
  // Calls only queue work on a GPU: the host waits where it asks for a number.
  for (int i = 0; i < 200; ++i) loss = step(model, optimizer, x, y);
  return loss.item<double>();
}

int main() {
  const bool has_gpu = device_count(DeviceKind::cuda) > 0;
  const Device gpu{DeviceKind::cuda, 0};
  const double here = train(kCpu), there = train(has_gpu ? gpu : kCpu);
  std::printf("loss after 200 steps: %s\n", here < 0.001 ? "below 0.001" : "too much");
  std::printf("on the GPU: %s\n", std::abs(there / here - 1) < 0.01 ? "the same" : "another");

  // Tensors of two devices do not meet by themselves.
  try {
    add(ones({2}), Tensor::empty({2}, f32, has_gpu ? gpu : kMeta));
  } catch (const Error& error) {
    std::printf("refused: %s\n", std::string(name(error.code())).c_str());
  }

  // What a program would take on a GPU that is not here: its kernels for that device, each with its floor.
  const auto softmax_rows =
      compile([](const Tensor& x) { return softmax(x, 1); }, {.name = "rows"});
  Generator generator(1);
  softmax_rows(cast(normal({4096, 4096}, generator), bf16));
  std::cout << "\n" << explain(softmax_rows, {.device = "h200"});
  // Now run it on a machine with a GPU, or `ridge explain --example vit_step --device cuda`.
}

// Lesson 3: gradients, gradients of gradients, and a rule of your own.
#include <cstdio>
#include <vector>

#include "ridge/ridge.h"

using namespace ridge;

int main() {
  // d/dx of x^3 is 3 x^2, and of that 6 x: rules are made of ops, so they differentiate again.
  const Tensor x = Tensor::of<double>({2.0}, {1});
  set_requires_grad(x);
  const Tensor y = pow(x, 3);
  const Tensor first = gradients({y}, {x}, {ones_like(y)}, {.create_graph = true})[0];
  const Tensor second = gradients({first}, {x}, {ones_like(first)})[0];
  std::printf("x^3 at 2: value %.1f, first %.1f, second %.1f\n", y.item<double>(),
              first.item<double>(), second.item<double>());

  // What runs under NoGrad leaves no history, and neither does a detached tensor.
  {
    const NoGrad no_grad;
    std::printf("recorded under NoGrad: %s\n", (x * x).requires_grad() ? "yes" : "no");
  }
  std::printf("recorded after detach: %s\n", (detach(x) * 2).requires_grad() ? "yes" : "no");

  // A hook sees the gradient of a tensor as it arrives, and may replace it.
  const Tensor h = x * 10;
  const auto hook = add_hook(h, [](const Tensor& g) { return g * 0.5; });
  std::printf("halved by a hook: %.1f\n", gradients({sum(h)}, {x})[0].item<double>());

  // The same loss, with values saved by a rule checked against being overwritten.
  const Tensor product = h * h;
  add_(h, 1);
  try {
    backward(sum(product));
  } catch (const Error& error) {
    std::printf("noticed: %s was given %s\n", error.op().c_str(), error.given().c_str());
  }
}

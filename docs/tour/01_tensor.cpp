// Lesson 1: tensors, and fitting a line with them.
//
// A Tensor is a handle to a strided view of memory; ops make new ones; gradients follow the ops.
#include <cstdio>
#include <iostream>

#include "ridge/ridge.h"

using namespace ridge;

int main() {
  // A tensor has a shape, a dtype and strides. Copying the handle copies no element.
  const Tensor t = Tensor::of<float>({1, 2, 3, 4, 5, 6}, {2, 3});
  std::cout << "t           = " << t << "\n";
  std::cout << "transpose   = " << transpose(t, 0, 1) << "  (a view: no element moved)\n";
  std::cout << "t * 2 + 1   = " << t * 2 + 1 << "\n";
  std::cout << "column sums = " << sum(t, {0}) << "\n\n";

  // Points near the line y = 3 x - 1, with noise from a generator whose state is a tensor too.
  Generator generator(42);
  const Tensor x = uniform({256, 1}, generator, -1, 1);
  const Tensor y = x * 3 - 1 + normal({256, 1}, generator) * 0.05;

  // Parameters ask for gradients; `backward` fills them in; in-place ops update them.
  const Tensor slope = zeros({1, 1});
  const Tensor offset = zeros({1});
  set_requires_grad(slope);
  set_requires_grad(offset);
  for (int step = 0; step <= 60; ++step) {
    const Tensor error = matmul(x, slope) + offset - y;
    const Tensor loss = mean(error * error);
    backward(loss);
    if (step % 20 == 0) std::printf("step %2d  loss %.4f\n", step, loss.item<double>());
    const NoGrad no_grad;
    for (const Tensor& parameter : {slope, offset}) {
      sub_(parameter, grad_of(parameter) * 0.3);
      clear_grad(parameter);
    }
  }
  std::printf("fitted: y = %.2f x %+.2f\n", slope.item<double>(), offset.item<double>());
}

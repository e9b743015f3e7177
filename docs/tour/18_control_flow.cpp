// Lesson 18: branches and loops that are part of a program.
//
// A capture runs the function once, so a C++ `if` on a tensor's value cannot be in it: the value is
// not known yet. cond, scan and while_loop are: the program itself looks at the value.
#include <cstdio>
#include <string>

#include "ridge/ridge.h"

using namespace ridge;

// A recurrent layer: the state goes from row to row, each row gives an output.
Tensor last_state(const Tensor& h0, const Tensor& xs, const Tensor& w) {
  const auto step = [&](const Tensor& h, const Tensor& x) {
    const Tensor next = tanh(x + matmul(h, w));
    return std::pair(next, sum(next));
  };
  const auto [h, sums] = scan(step, h0, xs);
  return sum(h) + sum(sums * sums);
}

int main() {
  const auto clip = compile(
      [](const Tensor& x) {
        const Tensor norm = sqrt(sum(x * x));
        return cond(
            norm > 1.0, [&](const Tensor& t) { return t / norm; },
            [](const Tensor& t) { return t; }, x);
      },
      {.name = "clip"});
  for (const float scale : {3.0F, 0.1F}) {
    const Tensor y = clip(Tensor::of<float>({scale, 0, 0, scale}, {4}));
    std::printf("clip: %.4f\n", y.to_vector<float>()[0]);
  }
  std::printf("programs: %zu\n", clip.programs().size());

  const Tensor h0 = full({2}, 0.5, f64);
  const Tensor xs = Tensor::of<double>({0.1, 0.2, 0.3, 0.4, 0.5, 0.6}, {3, 2});
  const Tensor w = Tensor::of<double>({0.2, -0.1, 0.4, 0.3}, {2, 2});
  const auto [value, gradient] = compile(value_and_grad(last_state))(h0, xs, w);
  std::printf("scan: %.6f, gradient by h0 %.6f\n", value.item<double>(),
              gradient.to_vector<double>()[0]);

  const auto root = compile([](const Tensor& a) {
    return while_loop([&](const Tensor& x) { return abs(x * x - a) > 1e-9; },
                      [&](const Tensor& x) { return (x + a / x) / 2.0; }, a, {.max_steps = 50});
  });
  std::printf("while_loop: %.6f\n", root(Tensor::of<double>({2}, {})).item<double>());

  try {
    compile([](const Tensor& x) { return sum(x).item<float>() > 0 ? x : x * 2; })(full({3}, 1));
  } catch (const Error& error) {
    const std::string hint = error.hint();
    std::printf("%s\n", hint.substr(0, hint.find("`,", hint.find("cond(")) + 1).c_str());
  }
}

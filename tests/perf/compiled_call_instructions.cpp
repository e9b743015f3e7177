// Calls compiled functions that compute next to nothing, so that callgrind can count what the call
// itself costs.
//
// Usage: ridge_compiled_call_instructions call|call_200|bound COUNT. The counted functions are
// measured_call (4 tensors), measured_call_200 (a module of 200 parameters and a tensor) and
// measured_bound (the 4 tensors, bound): from the call to its return, allocation and release of the
// result included. Their kernels, of 4 elements, are too. run_compiled_call_instructions holds the
// bounds.
#include <cstdlib>
#include <functional>
#include <iostream>
#include <string>

#include "ridge/ridge.h"

namespace {

using namespace ridge;

struct Module {
  std::vector<Tensor> parameters;
  static void visit_tensors(auto& self, auto&& visit) { visit("parameters", self.parameters); }
};

Tensor products(const Tensor& a, const Tensor& b, const Tensor& c, const Tensor& d) {
  return a * b + c * d;
}
Tensor total(const Module& module, const Tensor& x) {
  Tensor sum = x;
  for (const Tensor& parameter : module.parameters) sum = sum + parameter;
  return sum;
}

Tensor some(int64_t seed) {
  return Tensor::of<float>({0.5f, 1.25f, -2, static_cast<float>(seed)}, {4});
}

}  // namespace

extern "C" [[gnu::noinline]] void measured_call(const Compiled<decltype(&products)>& f,
                                                const Tensor* x) {
  static_cast<void>(f(x[0], x[1], x[2], x[3]));
}

extern "C" [[gnu::noinline]] void measured_call_200(const Compiled<decltype(&total)>& f,
                                                    const Module& module, const Tensor& x) {
  static_cast<void>(f(module, x));
}

using BoundProducts =
    Bound<decltype(&products), const Tensor&, const Tensor&, const Tensor&, const Tensor&>;
extern "C" [[gnu::noinline]] void measured_bound(const BoundProducts& bound) {
  static_cast<void>(bound());
}

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: " << argv[0] << " call|call_200|bound COUNT\n";
    return 2;
  }
  const std::string kind = argv[1];
  const std::vector<Tensor> tensors{some(1), some(2), some(3), some(4)};
  Module module;
  for (int64_t i = 0; i < 200; ++i) module.parameters.push_back(some(i));
  const auto f = compile(&products);
  const auto g = compile(&total);
  const auto bound = f.bind(tensors[0], tensors[1], tensors[2], tensors[3]);
  for (int i = 0; i < 10; ++i) {  // the first call of each compiles
    f(tensors[0], tensors[1], tensors[2], tensors[3]);
    g(module, tensors[0]);
    bound();
  }
  const std::function<void()> call =
      kind == "call" ? std::function<void()>([&] { measured_call(f, tensors.data()); })
      : kind == "call_200"
          ? std::function<void()>([&] { measured_call_200(g, module, tensors[0]); })
          : std::function<void()>([&] { measured_bound(bound); });
  const int count = std::atoi(argv[2]);
  for (int i = 0; i < count; ++i) call();
  return f.counters().misses == 1 && g.counters().misses == 1 ? 0 : 1;
}

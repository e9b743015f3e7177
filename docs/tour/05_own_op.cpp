// Lesson 5: an op is written once.
//
// A record gives a schema, rules and a definition. Dispatch, shapes without values, the gradient, the
// in-place form and the tests all follow from it.
#include <iostream>

#include "ridge/dispatch/call.h"
#include "ridge/ops/registry.h"
#include "ridge/ridge.h"

using namespace ridge;

int main() {
  const ops::OpRecord& record = ops::registry().add(
      {.schema = "mish(Tensor x) -> Tensor",
       .doc = "x * tanh(log(1 + exp(x)))",
       .traits = ops::Trait::Pointwise,
       .dtype = ops::rule::float_result,
       .body = [](const ops::Scalars& s) { return s[0] * tanh(log(1 + exp(s[0]))); },
       .samples = ops::domain(-4, 4)});
  const auto mish = [&](const At& x) { return dispatch::call_one(*record.op, x.where(), x); };

  const Tensor x = Tensor::of<double>({-1, 0, 1}, {3});
  set_requires_grad(x);
  const Tensor y = mish(x);
  std::cout << "values:   " << y << "\n";
  std::cout << "gradient: " << gradients({sum(y)}, {x})[0] << "\n";
  std::cout << "shape on meta: " << describe(mish(Tensor::empty({5, 7}, f16, kMeta))) << "\n";
  std::cout << "in place: " << record.in_place_op->schema().to_text() << "\n";
}

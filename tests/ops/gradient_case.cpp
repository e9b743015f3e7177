#include "gradient_case.h"

namespace ridge::testing {
namespace {

bool is_differentiated(const Tensor& tensor) {
  return tensor.defined() && is_floating(tensor.dtype()) && !tensor.is_weak();
}

Tensor weighted(const Tensor& result) {
  const Tensor position = reshape(arange(result.numel(), f32, result.device()), result.shape());
  const Tensor weights = remainder(position * 7.0 + 3.0, 11.0) * 0.125 - 0.5;
  return sum(cast(result, result.dtype() == f64 ? f64 : f32) * weights);
}

}  // namespace

dispatch::Tensors gradients_of(const OpCase& c) {
  dispatch::Tensors leaves;
  const auto args = map_tensors(c.args, [&](const Tensor& t) {
    if (!is_differentiated(t)) return t;
    const Tensor leaf = t.alias();
    set_requires_grad(leaf);
    leaves.push_back(leaf);
    return leaf;
  });
  dispatch::Tensors parts;
  for (const Tensor& result : dispatch::call_values(*c.record->op, dispatch::borrow(args))) {
    if (result.requires_grad()) parts.push_back(weighted(result));
  }
  if (leaves.empty() || parts.empty()) return {};
  return gradients(parts, leaves);
}

}  // namespace ridge::testing

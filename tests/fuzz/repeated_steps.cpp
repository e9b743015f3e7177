// The same call for several values of different shapes, as an optimizer makes it for each parameter.
#include "ridge/ops/arithmetic.h"
#include "tests/fuzz/graph_builder.h"

namespace ridge::fuzz {

bool add_repeated(GraphBuilder& b) {
  const double factor = b.number(), added = b.number();
  const DType dtype = b.floating_dtype();
  const CallOf fresh = [=](Operands v) -> Tensors { return {add(mul(v[0], factor), added)}; };
  const CallOf in_place = [=](Operands v) -> Tensors {
    mul_(v[0], factor);
    return {add_(v[0], added)};
  };
  bool is_added = false;
  for (int64_t left = b.integer(2, 5); left > 0; --left) {
    std::optional<size_t> value;
    if (b.chance(0.3)) value = b.pick([&](const Tensor& t) { return t.dtype() == dtype; });
    if (!value) value = b.input(dtype, b.shape());
    const bool writes = b.may_write() && b.chance(0.5);
    is_added |= writes ? b.attempt_write({*value}, fresh, in_place) : b.attempt({*value}, fresh);
  }
  return is_added;
}

}  // namespace ridge::fuzz

#include "ridge/core/shape.h"
#include "ridge/dispatch/call.h"
#include "ridge/graph/passes/passes.h"
#include "ridge/ops/registry.h"
#include "ridge/ops/view.h"

namespace ridge::graph {
namespace {

// Eagerly such a write changes memory and no history, so gradients pass the base by as before.
Tensor with_old_gradient(const ops::Call&, const Tensor& base, const Tensor& value) {
  if (!is_floating(base.dtype())) return value;
  return dispatch::call_one(keep_gradient(), Location::current(), base, value);
}

// Every element is kept, in row-major order, or one was expanded to none and nothing is written. An
// expanded dim that is stretched overlaps itself.
Tensor in_old_shape(const ops::Call&, const Tensor& base, const Tensor& value) {
  if (value.numel().known() == 0) return base;
  return reshape(value, base.shape());
}

Tensor in_old_order(const ops::Call& call, const Tensor& base, const Tensor& value) {
  const auto dims = call.ints("dims");
  Ints inverse(dims.size());
  for (size_t i = 0; i < dims.size(); ++i) {
    inverse[static_cast<size_t>(wrap_dim(dims[i], base.rank()))] = static_cast<int64_t>(i);
  }
  return permute(value, inverse);
}

Tensor over_slice(const ops::Call& call, const Tensor& base, const Tensor& value) {
  const Shape bounds = call.sizes("bounds");
  return slice_scatter(base, value, call.integer("dim"), bounds[0], bounds[1],
                       call.integer("step"));
}

// Windows that do not overlap: the elements at one place of every window are a slice.
Tensor over_windows(const ops::Call& call, const Tensor& base, const Tensor& value) {
  const int64_t dim = wrap_dim(call.integer("dim"), base.rank());
  const Size count = value.size(dim);
  const int64_t stride = call.integer("stride");
  Tensor result = base;
  for (int64_t i = 0; i < call.integer("kernel"); ++i) {
    const Size start = i * call.integer("dilation");
    const Size end = start + (count - 1) * stride + 1;
    result = slice_scatter(result, select(value, -1, i), dim, start, end, stride);
  }
  return result;
}

Tensor over_strided(const ops::Call& call, const Tensor& base, const Tensor& value) {
  const Shape strides = call.sizes("strides");
  const Size offset = call.sizes("offset")[0];
  if (!is_contiguous(value.shape(), strides)) {
    return strided_scatter(base, value, strides, offset);
  }
  const Tensor flat = reshape(value, {value.numel()});
  if (flat.numel().is_same(base.size(0))) return flat;
  return slice_scatter(base, flat, 0, offset, offset + flat.numel());
}

struct Inverse {
  std::string_view op;
  Tensor (*apply)(const ops::Call&, const Tensor& base, const Tensor& value);
};

constexpr Inverse kInverses[] = {
    // matches: each view op with the way back
    {"detach", with_old_gradient},  //
    {"reshape", in_old_shape},      //
    {"expand", in_old_shape},       //
    {"permute", in_old_order},      //
    {"slice", over_slice},          //
    {"windows", over_windows},      //
    {"strided", over_strided},
};

}  // namespace

const dispatch::Operator& keep_gradient() {
  // A copy, because what shares memory with its operand would be taken for a view and expanded.
  static const dispatch::Operator& op =
      *ops::registry()
           .add({.schema = "keep_gradient(Tensor x, Tensor value) -> Tensor",
                 .doc = "value, with x's gradient",
                 .decompose = [](const ops::Call& call) -> ops::Tensors {
                   return {clone(call.tensor("value"))};
                 },
                 .grad = [](const ops::Grads& grads, const ops::Saved&) -> ops::Tensors {
                   return {grads[0], Tensor()};
                 }})
           .op;
  return op;
}

Tensor invert_view(const ops::Call& call, const Tensor& base, const Tensor& value) {
  for (const Inverse& inverse : kInverses) {
    if (inverse.op == call.schema().name) return inverse.apply(call, base, value);
  }
  throw Error({.code = ErrorCode::internal,
               .op = call.schema().name,
               .expected = "a view op that invert_view.cpp knows the inverse of",
               .given = "a write through another one"});
}

}  // namespace ridge::graph

// Any view of flat memory by strides, and its inverses: how arguments that share memory are seen.
#include <algorithm>

#include "ridge/base/text.h"
#include "ridge/core/shape.h"
#include "ridge/dispatch/call.h"
#include "ridge/ops/creation.h"
#include "ridge/ops/rearrange.h"
#include "ridge/ops/view.h"

namespace ridge {

Tensor strided(const At& x, const Shape& shape, const Shape& strides, const Size& offset) {
  static const auto& op = ops::find_op("strided");
  return dispatch::call_one(op, x.where(), x, shape, strides, Shape{offset});
}
Tensor strided_adjoint(const At& x, const Size& length, const Shape& strides, const Size& offset) {
  static const auto& op = ops::find_op("strided_adjoint");
  return dispatch::call_one(op, x.where(), x, Shape{length}, strides, Shape{offset});
}
Tensor strided_scatter(const At& x, const At& from, const Shape& strides, const Size& offset) {
  static const auto& op = ops::find_op("strided_scatter");
  return dispatch::call_one(op, x.where(), x, from, strides, Shape{offset});
}

namespace ops {
namespace {

using expr::Expr;

Size offset_of(const Call& call) { return call.sizes("offset")[0]; }

// Fails unless a view of that shape lies inside `memory`, which has one dimension.
void check_place(const Call& call, const Shape& memory, const Shape& shape) {
  const Shape strides = call.sizes("strides");
  const Shape offset = call.sizes("offset");
  if (memory.size() != 1 || offset.size() != 1 || strides.size() != shape.size()) {
    call.fail(ErrorCode::shape, "memory of one dimension, a stride for each size and one offset",
              concat(memory, ", ", shape, " with strides ", strides, " and offset ", offset));
  }
  const bool is_outside = memory[0] < extent(shape, strides, offset[0]);
  const bool is_negative = std::ranges::any_of(strides, [](const Size& s) { return s < 0; });
  if (is_outside || is_negative || offset[0] < 0) {
    call.fail(ErrorCode::shape, concat("a view inside of ", memory),
              concat(shape, " with strides ", strides, " at ", offset[0]));
  }
}

Expr address(const Call& call, size_t rank) {
  const Shape strides = call.sizes("strides");
  Expr index = offset_of(call).expression();
  for (size_t i = 0; i < rank; ++i) {
    index = index + expr::axis(static_cast<int>(i)) * strides[i].expression();
  }
  return index;
}

std::vector<Shape> strided_shape(const Call& call) {
  check_place(call, call.shape(0), call.sizes("shape"));
  return {call.sizes("shape")};
}

Definition define_strided(const Call& call) {
  const Shape shape = call.sizes("shape");
  return rearranged(call, shape, {address(call, shape.size())});
}

std::vector<Shape> strided_adjoint_shape(const Call& call) {
  check_place(call, call.sizes("shape"), call.shape(0));
  return {call.sizes("shape")};
}

Definition define_strided_adjoint(const Call& call) {
  const Shape& points = call.shape(0);
  const expr::Type type = scalar_type(call.operand(0).dtype());
  return {.extents =
              points.empty() ? Shape{1} : points,  // a scatter has an axis for each of the result
          .output_rank = 1,
          .reducer = Reducer::sum,
          .value = expr::load(0, type, all_axes(points.size())),
          .target = {address(call, points.size())},
          .initial = expr::cast(expr::constant(int64_t{0}), type)};
}

// The dims that move, by falling stride. Comparing symbols leaves guards.
std::vector<size_t> dims_by_stride(const Shape& shape, const Shape& strides) {
  std::vector<size_t> dims;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] != 1) dims.push_back(i);
  }
  std::ranges::stable_sort(dims, [&](size_t a, size_t b) { return strides[b] < strides[a]; });
  return dims;
}

// One step of a dimension jumps over all that the smaller ones reach. Comparing symbols leaves guards.
bool are_apart(const Shape& shape, const Shape& strides) {
  if (numel(shape).known() == 0) return true;
  const std::vector<size_t> dims = dims_by_stride(shape, strides);
  Size reach = 0;
  for (size_t i = dims.size(); i-- > 0;) {
    if (strides[dims[i]] <= reach) return false;
    reach = reach + (shape[dims[i]] - 1) * strides[dims[i]];
  }
  return true;
}

std::vector<Shape> strided_scatter_shape(const Call& call) {
  check_place(call, call.shape(0), call.shape(1));
  const Shape strides = call.sizes("strides");
  if (!are_apart(call.shape(1), strides)) {
    call.fail(ErrorCode::value, "elements that are apart in memory",
              concat(call.shape(1), " with strides ", strides));
  }
  if (call.operand(0).dtype() != call.operand(1).dtype()) {
    call.fail(ErrorCode::dtype, "values of the dtype of x", describe(call.operand(1)));
  }
  return {call.shape(0)};
}

// Taken by falling stride, the indices are the digits of the distance from the offset.
Definition define_strided_scatter(const Call& call) {
  const Shape& shape = call.shape(1);
  const Shape strides = call.sizes("strides");
  Expr rest = expr::axis(0) - offset_of(call).expression();
  Expr is_covered = rest >= 0;
  std::vector<Expr> position(shape.size(), Expr(0));
  for (const size_t dim : dims_by_stride(shape, strides)) {
    const Expr stride = max(strides[dim], 1).expression();  // an empty view may have any
    position[dim] = floor_div(rest, stride);
    rest = mod(rest, stride);
    is_covered = is_covered && position[dim] < shape[dim].expression();
  }
  is_covered = is_covered && equal(rest, 0);
  const expr::Type type = scalar_type(call.operand(0).dtype());
  return {.extents = call.shape(0),
          .output_rank = 1,
          .value = select(is_covered, expr::load(1, type, std::move(position)),
                          expr::load(0, type, all_axes(1)))};
}

Tensors strided_scatter_grad(const Grads& g, const Saved& v) {
  const Tensor none = zeros(v.shape(1), g[0].dtype(), g[0].device());
  return {strided_scatter(g[0], none, v.sizes("strides"), offset_of(v)),
          strided(g[0], v.shape(1), v.sizes("strides"), offset_of(v))};
}

DTypeRule numbers_as_given() { return {"as operand 0", {Accept::number}, rule::same().apply}; }

}  // namespace

void register_strided(Registry& ops) {
  ops.add({.schema = "strided(Tensor(a) x, Size[] shape, Size[] strides, Size[] offset) -> "
                     "Tensor(a)",
           .doc = "x, of one dimension, seen in `shape` with those strides from [offset] on",
           .traits = Trait::View,
           .dtype = rule::same,
           .shape = strided_shape,
           .define = define_strided,
           .grad = [](const Grads& g, const Saved& v) -> Tensors {
             return {strided_adjoint(g[0], v.shape(0)[0], v.sizes("strides"), offset_of(v))};
           },
           .samples =
               [](SampleMaker& m) {
                 m.add(m.real({12}), Shape{3, 2}, Shape{4, 2}, Shape{1});
                 m.add(m.strided(m.real({6})), Shape{3, 3}, Shape{0, 1}, Shape{2});
                 m.add(m.real({5}), Shape{}, Shape{}, Shape{4});
               }});
  ops.add({.schema = "strided_adjoint(Tensor x, Size[] shape, Size[] strides, Size[] offset) -> "
                     "Tensor",
           .doc = "the sum of what each element of memory of `shape` was seen as",
           .dtype = numbers_as_given,
           .shape = strided_adjoint_shape,
           .define = define_strided_adjoint,
           .grad = [](const Grads& g, const Saved& v) -> Tensors {
             return {strided(g[0], v.shape(0), v.sizes("strides"), offset_of(v))};
           },
           .samples =
               [](SampleMaker& m) {
                 m.add(m.real({3, 2}), Shape{12}, Shape{4, 2}, Shape{1});
                 m.add(m.real({3, 3}), Shape{5}, Shape{1, 1}, Shape{0});
               }});
  ops.add({.schema = "strided_scatter(Tensor x, Tensor from, Size[] strides, Size[] offset) -> "
                     "Tensor",
           .doc = "x, but for what is seen of it with those strides, which is `from`",
           .dtype = numbers_as_given,
           .shape = strided_scatter_shape,
           .define = define_strided_scatter,
           .grad = strided_scatter_grad,
           .samples = [](SampleMaker& m) {
             m.add(m.real({12}), m.real({3, 2}), Shape{4, 2}, Shape{1});
             m.add(m.real({12}), m.real({2, 3}), Shape{1, 4}, Shape{2});
             m.add(m.real({5}), m.real({}), Shape{}, Shape{3});
           }});
}

}  // namespace ops
}  // namespace ridge

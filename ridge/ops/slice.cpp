// Slices, and the ops that are slices.
#include "ridge/base/text.h"
#include "ridge/dispatch/call.h"
#include "ridge/ops/rearrange.h"
#include "ridge/ops/view.h"

namespace ridge {

Tensor slice(const At& x, int64_t dim, const Size& start, const Size& end, int64_t step) {
  static const auto& op = ops::find_op("slice");
  return dispatch::call_one(op, x.where(), x, dim, Shape{start, end}, step);
}
Tensor select(const At& x, int64_t dim, int64_t index) {
  static const auto& op = ops::find_op("select");
  return dispatch::call_one(op, x.where(), x, dim, index);
}
Tensor Tensor::operator[](const SizeAt& index) const {
  const At x(*this, index.where);
  RIDGE_CHECK(rank(index.where) > 0, .code = ErrorCode::shape, .op = "select",
              .expected = "a tensor of at least one dim", .given = describe(*this),
              .where = index.where);
  if (const auto number = index.size.known()) return select(x, 0, *number);
  const Size& i = index.size;
  RIDGE_CHECK(i >= 0 && i < size(0), .code = ErrorCode::index, .op = "select",
              .expected = concat("an index below ", size(0), " along dim 0"), .given = concat(i),
              .where = index.where);
  return reshape({slice(x, 0, i, i + 1), index.where}, Shape(shape().begin() + 1, shape().end()));
}
Tensor flip(const At& x, const Ints& dims) {
  static const auto& op = ops::find_op("flip");
  return dispatch::call_one(op, x.where(), x, dims);
}
Tensor slice_adjoint(const At& x, const Shape& shape, int64_t dim, const Size& start,
                     const Size& end, int64_t step) {
  static const auto& op = ops::find_op("slice_adjoint");
  return dispatch::call_one(op, x.where(), x, shape, dim, Shape{start, end}, step);
}

namespace ops {

using expr::Expr;

SlicedRange sliced_range(const Call& call, const Shape& shape) {
  const auto rank = static_cast<int64_t>(shape.size());
  const auto dim = static_cast<size_t>(wrap_dim(call.integer("dim"), rank));
  const int64_t step = call.integer("step");
  if (step == 0 || step < -kEnd) {
    call.fail(ErrorCode::value, "a step other than 0, no further than a tensor reaches",
              concat(step));
  }
  const Shape bounds = call.sizes("bounds");
  if (bounds.size() != 2) call.fail(ErrorCode::value, "bounds [start, end]", to_text(bounds));

  const Size& extent = shape[dim];
  const Size lowest = step > 0 ? 0 : -1;
  const Size highest = step > 0 ? extent : extent - 1;
  const auto clamped = [&](Size bound) {
    // Asked first, because no comparison with a symbolic extent is needed.
    const bool is_last = bound.known() == kEnd, is_first = bound.known() == -kEnd;
    if (is_last || is_first) return is_last ? highest : lowest;
    if (bound < 0) bound = bound + extent;
    return bound < lowest ? lowest : bound > highest ? highest : bound;
  };
  const Size start = clamped(bounds[0]), end = clamped(bounds[1]);
  const Size distance = step > 0 ? end - start : start - end;
  const int64_t stride = step > 0 ? step : -step;
  return {dim, start, max((distance + (stride - 1)) / stride, 0), step};
}

Expr is_in_slice(const SlicedRange& range, std::vector<Expr>& position) {
  const Expr offset = position[range.dim] - range.start.expression();
  const Expr index = floor_div(offset, range.step);
  position[range.dim] = index;
  return equal(mod(offset, range.step), 0) && index >= 0 && index < range.length.expression();
}

namespace {

std::vector<Shape> slice_shape(const Call& call) {
  return {sliced_range(call, call.shape(0)).shape_of(call.shape(0))};
}

Definition define_slice(const Call& call) {
  const SlicedRange range = sliced_range(call, call.shape(0));
  std::vector<Expr> position = all_axes(call.shape(0).size());
  position[range.dim] = range.start.expression() + position[range.dim] * range.step;
  return rearranged(call, range.shape_of(call.shape(0)), std::move(position));
}

Tensors slice_grad(const Grads& g, const Saved& v) {
  const Shape bounds = v.sizes("bounds");
  return {
      slice_adjoint(g[0], v.shape(0), v.integer("dim"), bounds[0], bounds[1], v.integer("step"))};
}

// A slice takes no element twice, so its adjoint can be read instead of scattered: an element is
// either one of x or zero.
Definition define_slice_adjoint(const Call& call) {
  const Shape shape = call.sizes("shape");
  const SlicedRange range = sliced_range(call, shape);
  std::vector<Expr> position = all_axes(shape.size());
  const Expr is_covered = is_in_slice(range, position);
  Definition definition = rearranged(call, shape, std::move(position));
  definition.value = select(is_covered, definition.value, 0);
  return definition;
}

std::vector<Shape> slice_adjoint_shape(const Call& call) {
  const Shape shape = call.sizes("shape");
  const Shape expected = sliced_range(call, shape).shape_of(shape);
  if (!(call.shape(0) == expected)) {
    call.fail(ErrorCode::shape, concat("the slice of ", shape, ", ", expected),
              to_text(call.shape(0)));
  }
  return {shape};
}

Tensors slice_adjoint_grad(const Grads& g, const Saved& v) {
  const Shape bounds = v.sizes("bounds");
  return {slice(g[0], v.integer("dim"), bounds[0], bounds[1], v.integer("step"))};
}

Tensors decompose_select(const Call& call) {
  const Tensor& x = call.tensor("x");
  const int64_t dim = wrap_dim(call.integer("dim"), x.rank());
  const int64_t index = call.integer("index");
  const Size& extent = x.size(dim);
  if (extent <= index || extent + index < 0) {
    call.fail(ErrorCode::index, concat("an index below ", extent, " along dim ", dim),
              concat(index));
  }
  Shape shape = x.shape();
  shape.erase(shape.begin() + dim);
  return {reshape(slice(x, dim, index, index == -1 ? kEnd : index + 1), shape)};
}

Tensors decompose_flip(const Call& call) {
  Tensor x = call.tensor("x");
  if (call.ints("dims").empty()) return {clone(x)};
  for (const int64_t dim : wrap_dims(call.ints("dims"), x.rank())) {
    x = slice(x, dim, kEnd, -kEnd, -1);
  }
  return {x};
}

void slice_samples(SampleMaker& m) {
  const auto add = [&m](const Shape& shape, int64_t dim, int64_t start, int64_t end, int64_t step) {
    m.add(m.real(shape), dim, Shape{start, end}, step);
  };
  add({7}, 0, 1, 6, 2);
  add({3, 7}, -1, -5, kEnd, 3);
  add({3, 7, 2}, 1, kEnd, -kEnd, -1);
  add({7}, 0, 5, 0, -2);
  add({7}, 0, 5, 2, 1);
}

void slice_adjoint_samples(SampleMaker& m) {
  m.add(m.real({3}), Shape{7}, 0, Shape{1, 6}, 2);
  m.add(m.real({3, 4}), Shape{3, 7}, -1, Shape{kEnd, -kEnd}, -2);
  m.add(m.real({0}), Shape{7}, 0, Shape{5, 2}, 1);
}

}  // namespace

void register_slices(Registry& ops) {
  ops.add({.schema = "slice(Tensor(a) x, Int dim, Size[] bounds, Int step=1) -> Tensor(a)",
           .doc = "x[start:end:step] along `dim` as in Python, for bounds [start, end]",
           .traits = Trait::View,
           .dtype = rule::same,
           .shape = slice_shape,
           .define = define_slice,
           .grad = slice_grad,
           .samples = slice_samples});
  ops.add({.schema = "slice_adjoint(Tensor x, Size[] shape, Int dim, Size[] bounds, Int step=1) "
                     "-> Tensor",
           .doc = "zeros in `shape`, but for the slice, which is x",
           .dtype = rule::same,
           .shape = slice_adjoint_shape,
           .define = define_slice_adjoint,
           .grad = slice_adjoint_grad,
           .samples = slice_adjoint_samples});
  ops.add({.schema = "select(Tensor(a) x, Int dim, Int index) -> Tensor(a)",
           .doc = "one element along `dim`",
           .dtype = rule::same,
           .decompose = decompose_select,
           .samples = [](SampleMaker& m) {
             m.add(m.real({3, 5}), 1, 2);
             m.add(m.real({3, 5}), 0, -1);
           }});
  ops.add({.schema = "flip(Tensor x, Int[] dims) -> Tensor",
           .doc = "the order reversed along `dims`",
           .dtype = rule::same,
           .decompose = decompose_flip,
           .samples = [](SampleMaker& m) { m.add(m.real({3, 5}), Ints{0, -1}); }});
}

}  // namespace ops
}  // namespace ridge

// slice_scatter: what writing through a slice leaves behind, as a value.
#include "ridge/base/text.h"
#include "ridge/dispatch/call.h"
#include "ridge/ops/creation.h"
#include "ridge/ops/overwrite.h"
#include "ridge/ops/rearrange.h"
#include "ridge/ops/view.h"

namespace ridge {

Tensor slice_scatter(const At& x, const At& from, int64_t dim, const Size& start, const Size& end,
                     int64_t step) {
  static const auto& op = ops::find_op("slice_scatter");
  return dispatch::call_one(op, x.where(), x, from, dim, Shape{start, end}, step);
}

namespace ops {
namespace {

using expr::Expr;

// One op with a definition of its own, not a composition: the scheduler knows by it that all but the
// slice stays, and need not be touched where x may be overwritten (schedule/node_definition.h).
Definition define_slice_scatter(const Call& call) {
  const Shape& shape = call.shape(0);
  const expr::Type type = scalar_type(call.operand(0).dtype());
  std::vector<Expr> position = all_axes(shape.size());
  const Expr kept = expr::load(0, type, position);
  const Expr is_covered = is_in_slice(sliced_range(call, shape), position);
  return {.extents = shape,
          .output_rank = shape.size(),
          .value = select(is_covered, expr::load(1, type, std::move(position)), kept)};
}

std::vector<Shape> slice_scatter_shape(const Call& call) {
  const DType x = call.operand(0).dtype();
  const DType from = call.operand(1).dtype();
  if (from != x) {
    call.fail(ErrorCode::dtype, concat("values of the dtype of x, ", name(x)),
              std::string(name(from)));
  }
  const Shape& shape = call.shape(0);
  const Shape expected = sliced_range(call, shape).shape_of(shape);
  if (!(call.shape(1) == expected)) {
    call.fail(ErrorCode::shape, concat("the slice of ", shape, ", ", expected),
              to_text(call.shape(1)));
  }
  return {shape};
}

Tensors slice_scatter_grad(const Grads& g, const Saved& v) {
  const Shape bounds = v.sizes("bounds");
  const int64_t dim = v.integer("dim"), step = v.integer("step");
  const Tensor none = zeros(v.shape(1), g[0].dtype(), g[0].device());
  return {slice_scatter(g[0], none, dim, bounds[0], bounds[1], step),
          slice(g[0], dim, bounds[0], bounds[1], step)};
}

void slice_scatter_samples(SampleMaker& m) {
  m.add(m.real({7}), m.real({3}), 0, Shape{1, 6}, 2);
  m.add(m.real({3, 7}), m.real({3, 4}), -1, Shape{kEnd, -kEnd}, -2);
  m.add(m.real({3, 5, 2}), m.real({1, 5, 2}), 0, Shape{1, 2}, 1);
  m.add(m.real({7}), m.real({0}), 0, Shape{5, 2}, 1);
}

std::vector<Expr> position_in_slice(const Call& call) {
  const SlicedRange range = sliced_range(call, call.shape(0));
  std::vector<Expr> position = all_axes(call.shape(0).size());
  position[range.dim] = range.start.expression() + position[range.dim] * range.step;
  return position;
}

std::vector<Expr> position_by_strides(const Call& call) {
  const Shape strides = call.sizes("strides");
  Expr index = call.sizes("offset")[0].expression();
  for (size_t i = 0; i < strides.size(); ++i) {
    index = index + expr::axis(static_cast<int>(i)) * strides[i].expression();
  }
  return {index};
}

}  // namespace

std::vector<Expr> overwritten_position(const Call& call) {
  if (call.schema().name == "slice_scatter") return position_in_slice(call);
  if (call.schema().name == "strided_scatter") return position_by_strides(call);
  return {};
}

void register_slice_scatter(Registry& ops) {
  ops.add({.schema = "slice_scatter(Tensor x, Tensor from, Int dim, Size[] bounds, Int step=1) "
                     "-> Tensor",
           .doc = "x, but for the slice, which is `from`",
           .dtype = DTypeRule("as operand 0", {Accept::number}, rule::same().apply),
           .shape = slice_scatter_shape,
           .define = define_slice_scatter,
           .grad = slice_scatter_grad,
           .samples = slice_scatter_samples});
}

}  // namespace ops
}  // namespace ridge

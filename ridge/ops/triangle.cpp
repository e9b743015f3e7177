#include "ridge/ops/triangle.h"

#include "ridge/dispatch/call.h"
#include "ridge/ops/rearrange.h"

namespace ridge {

Tensor triu(const At& x, int64_t diagonal) {
  static const auto& op = ops::find_op("triu");
  return dispatch::call_one(op, x.where(), x, diagonal);
}
Tensor tril(const At& x, int64_t diagonal) {
  static const auto& op = ops::find_op("tril");
  return dispatch::call_one(op, x.where(), x, diagonal);
}

namespace ops {
namespace {

std::vector<Shape> matrix_shape(const Call& call) {
  if (call.shape(0).size() < 2) {
    call.fail(ErrorCode::shape, "matrices [..., rows, columns]", describe(call.operand(0)));
  }
  return {call.shape(0)};
}

// x where column - row lies on one side of the diagonal, which belongs to both.
Definition define_triangle(const Call& call, bool is_upper) {
  const Shape& shape = call.shape(0);
  const auto rank = static_cast<int>(shape.size());
  const expr::Expr column = expr::axis(rank - 1), row = expr::axis(rank - 2);
  const expr::Expr first = row + call.integer("diagonal");
  const expr::Expr x = expr::load(0, scalar_type(call.operand(0).dtype()), all_axes(shape.size()));
  return {.extents = shape,
          .output_rank = shape.size(),
          .value = select(is_upper ? column >= first : column <= first, x, 0)};
}

void triangle_samples(SampleMaker& m) {
  m.add(m.real({3, 5}), 0);
  m.add(m.real({5, 3}), 1);
  m.add(m.strided(m.real({2, 4, 4})), -2);
  m.add(m.real({2, 3}), 7);
  m.add(m.real({0, 3, 2}), 0);
}

}  // namespace

void register_triangles(Registry& ops) {
  ops.add({.schema = "triu(Tensor x, Int diagonal=0) -> Tensor",
           .doc = "matrices on and above a diagonal, zero below",
           .dtype = DTypeRule("as operand 0", {Accept::number}, rule::same().apply),
           .shape = matrix_shape,
           .define = [](const Call& call) { return define_triangle(call, true); },
           .grad = [](const Grads& g, const Saved& v) -> Tensors {
             return {triu(g[0], v.integer("diagonal"))};
           },
           .samples = triangle_samples});
  ops.add({.schema = "tril(Tensor x, Int diagonal=0) -> Tensor",
           .doc = "matrices on and below a diagonal, zero above",
           .dtype = DTypeRule("as operand 0", {Accept::number}, rule::same().apply),
           .shape = matrix_shape,
           .define = [](const Call& call) { return define_triangle(call, false); },
           .grad = [](const Grads& g, const Saved& v) -> Tensors {
             return {tril(g[0], v.integer("diagonal"))};
           },
           .samples = triangle_samples});
}

}  // namespace ops
}  // namespace ridge

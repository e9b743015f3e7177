#include "ridge/ops/view.h"

#include <algorithm>

#include "ridge/base/text.h"
#include "ridge/core/shape.h"
#include "ridge/dispatch/call.h"
#include "ridge/ops/rearrange.h"

namespace ridge {

Tensor permute(const At& x, const Ints& dims) {
  static const auto& op = ops::find_op("permute");
  return dispatch::call_one(op, x.where(), x, dims);
}
Tensor transpose(const At& x, int64_t a, int64_t b) {
  static const auto& op = ops::find_op("transpose");
  return dispatch::call_one(op, x.where(), x, a, b);
}
Tensor expand(const At& x, const Shape& shape) {
  static const auto& op = ops::find_op("expand");
  return dispatch::call_one(op, x.where(), x, shape);
}
Tensor clone(const At& x) {
  static const auto& op = ops::find_op("clone");
  return dispatch::call_one(op, x.where(), x);
}
Tensor contiguous(const At& x) {
  const Tensor& given = x.tensor();
  return is_contiguous_here(given.shape(), given.strides(), x.where()) ? given : clone(x);
}
Tensor detach(const At& x) {
  static const auto& op = ops::find_op("detach");
  return dispatch::call_one(op, x.where(), x);
}

namespace ops {

Definition rearranged(const Call& call, Shape shape, std::vector<expr::Expr> position) {
  const size_t rank = shape.size();
  return {.extents = std::move(shape),
          .output_rank = rank,
          .value = expr::load(0, scalar_type(call.operand(0).dtype()), std::move(position))};
}

namespace {

using expr::Expr;

Definition define_identity(const Call& call) {
  return rearranged(call, call.shape(0), all_axes(call.shape(0).size()));
}

Ints permutation(const Call& call) {
  const int64_t rank = call.operand(0).rank();
  const std::span<const int64_t> given = call.ints("dims");
  Ints dims;
  for (const int64_t dim : given) dims.push_back(wrap_dim(dim, rank));
  Ints sorted = dims;
  std::ranges::sort(sorted);
  bool is_permutation = std::cmp_equal(sorted.size(), rank);
  for (size_t i = 0; is_permutation && i < sorted.size(); ++i) {
    is_permutation = std::cmp_equal(sorted[i], i);
  }
  if (!is_permutation) {
    call.fail(ErrorCode::value, concat("every dim of ", call.shape(0), " once"),
              ridge::to_text(given));
  }
  return dims;
}

Definition define_permute(const Call& call) {
  const Ints dims = permutation(call);
  Shape shape;
  std::vector<Expr> position(dims.size());
  for (size_t i = 0; i < dims.size(); ++i) {
    shape.push_back(call.operand(0).size(dims[i]));
    position[static_cast<size_t>(dims[i])] = expr::axis(static_cast<int>(i));
  }
  return rearranged(call, shape, std::move(position));
}

Tensors permute_grad(const Grads& g, const Saved& v) {
  const Ints dims = permutation(v);
  Ints inverse(dims.size());
  for (size_t i = 0; i < dims.size(); ++i) {
    inverse[static_cast<size_t>(dims[i])] = static_cast<int64_t>(i);
  }
  return {permute(g[0], inverse)};
}

Tensors decompose_transpose(const Call& call) {
  const Tensor& x = call.tensor("x");
  Ints dims;
  for (int64_t dim = 0; dim < x.rank(); ++dim) dims.push_back(dim);
  std::swap(dims[static_cast<size_t>(wrap_dim(call.integer("a"), x.rank()))],
            dims[static_cast<size_t>(wrap_dim(call.integer("b"), x.rank()))]);
  return {permute(x, dims)};
}

Definition define_expand(const Call& call) {
  const Shape& from = call.shape(0);
  const Shape given = call.sizes("shape");
  const auto fail = [&] {
    call.fail(ErrorCode::shape, concat("a shape that ", from, " can be expanded to"),
              to_text(given));
  };
  if (given.size() < from.size()) fail();
  Shape shape = given;
  std::vector<Expr> position;
  const size_t added = shape.size() - from.size();
  for (size_t i = 0; i < shape.size(); ++i) {
    const bool is_kept = shape[i].known() == -1;
    if (is_kept ? i < added : shape[i] < 0) fail();
    if (i < added) continue;
    const Size& size = from[i - added];
    if (is_kept) shape[i] = size;
    const bool moves = size.is_same(shape[i]) || size != 1;
    if (moves && size != shape[i]) fail();
    position.push_back(moves ? expr::axis(static_cast<int>(i)) : Expr(0));
  }
  return rearranged(call, shape, std::move(position));
}

// The shape of a result that the definition works out anyway.
template <Definition (*define)(const Call&)>
std::vector<Shape> shape_of(const Call& call) {
  return {define(call).extents};
}

void register_permutations(Registry& ops) {
  ops.add({.schema = "permute(Tensor(a) x, Int[] dims) -> Tensor(a)",
           .doc = "dims in another order",
           .traits = Trait::View,
           .dtype = rule::same,
           .shape = shape_of<define_permute>,
           .define = define_permute,
           .grad = permute_grad,
           .samples = [](SampleMaker& m) {
             m.add(m.real({2, 3, 5}), Ints{2, 0, 1});
             m.add(m.real({}), Ints{});
             m.add(m.real({0, 3}), Ints{-1, 0});
           }});
  ops.add({.schema = "transpose(Tensor(a) x, Int a, Int b) -> Tensor(a)",
           .doc = "dims a and b exchanged",
           .dtype = rule::same,
           .decompose = decompose_transpose,
           .samples = [](SampleMaker& m) { m.add(m.real({2, 3, 5}), 0, -1); }});
  ops.add({.schema = "expand(Tensor(a) x, Size[] shape) -> Tensor(a)",
           .doc = "dims of size 1 stretched and new ones in front; -1 keeps a size",
           .traits = Trait::View,
           .dtype = rule::same,
           .shape = shape_of<define_expand>,
           .define = define_expand,
           // The caller sums over what was stretched.
           .grad = [](const Grads& g, const Saved&) -> Tensors { return {g[0]}; },
           .samples =
               [](SampleMaker& m) {
                 m.add(m.real({3, 1}), Shape{2, -1, 5});
                 m.add(m.real({}), Shape{7});
                 m.add(m.real({1}), Shape{0});
               }});
}

}  // namespace

void register_view(Registry& ops) {
  register_reshapes(ops);
  register_permutations(ops);
  register_slices(ops);
  register_triangles(ops);
  ops.add({.schema = "clone(Tensor x) -> Tensor",
           .doc = "a copy of x, in row-major memory without gaps",
           .dtype = rule::same,
           .shape = rule::same_as_input,
           .define = define_identity,
           .grad = [](const Grads& g, const Saved&) -> Tensors { return {g[0]}; },
           .samples = domain(-2, 2)});
  ops.add({.schema = "detach(Tensor(a) x) -> Tensor(a)",
           .doc = "the same elements, cut off from the gradient",
           .traits = Trait::View,
           .dtype = rule::same,
           .shape = rule::same_as_input,
           .define = define_identity,
           .differentiable = false,
           .samples = domain(-2, 2)});
}

}  // namespace ops
}  // namespace ridge

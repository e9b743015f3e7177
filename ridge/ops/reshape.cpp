// Reshape, and the ops that are reshapes.
#include <algorithm>

#include "ridge/base/text.h"
#include "ridge/dispatch/call.h"
#include "ridge/ops/rearrange.h"
#include "ridge/ops/view.h"

namespace ridge {

Tensor reshape(const At& x, const Shape& shape) {
  static const auto& op = ops::find_op("reshape");
  return dispatch::call_one(op, x.where(), x, shape);
}
Tensor flatten(const At& x, int64_t first, int64_t last) {
  static const auto& op = ops::find_op("flatten");
  return dispatch::call_one(op, x.where(), x, first, last);
}
Tensor squeeze(const At& x, const Ints& dims) {
  static const auto& op = ops::find_op("squeeze");
  return dispatch::call_one(op, x.where(), x, dims);
}
Tensor unsqueeze(const At& x, int64_t dim) {
  static const auto& op = ops::find_op("unsqueeze");
  return dispatch::call_one(op, x.where(), x, dim);
}

namespace ops {
namespace {

using expr::Expr;

Shape reshaped(const Call& call) {
  Shape shape = call.sizes("shape");
  const Size total = call.operand(0).numel();
  const auto fail = [&] {
    call.fail(ErrorCode::shape, "a shape of as many elements as " + to_text(call.shape(0)),
              to_text(call.sizes("shape")));
  };
  Size* left_open = nullptr;
  Size others = 1;
  for (Size& size : shape) {
    if (size.known() == -1) {
      if (left_open != nullptr) fail();
      left_open = &size;
    } else {
      if (size < 0) fail();
      others = others * size;
    }
  }
  if (left_open == nullptr) {
    if (total != others) fail();
  } else {
    // Any size would do beside a 0.
    if (others == 0 || total % others != 0) fail();
    *left_open = total / others;
  }
  return shape;
}

Size product(const Shape& shape, size_t first, size_t count) {
  Size result = 1;
  for (size_t i = first; i < first + count; ++i) result = result * shape[i];
  return result;
}

// How many leading dims of `from` and of `to` hold the same number of elements, the fewest
// possible; all that are left if sizes do not tell.
std::pair<size_t, size_t> next_group(const Shape& from, size_t f, const Shape& to, size_t t) {
  const size_t from_left = from.size() - f, to_left = to.size() - t;
  for (size_t total = 1; total < from_left + to_left; ++total) {
    for (size_t count = 0; count <= std::min(total, from_left); ++count) {
      if (total - count > to_left) continue;
      if (product(from, f, count).is_same(product(to, t, total - count))) {
        return {count, total - count};
      }
    }
  }
  return {from_left, to_left};
}

// Where an element of the new shape is found in the old one. Both are cut into groups of dims that
// cover the same elements, so that dims which are only kept, dropped or added need no division:
//   [a, b, 1, c] seen as [a, b * c]   reads   [i0, i1 / c, 0, i1 % c]
std::vector<Expr> reshape_position(const Shape& from, const Shape& to) {
  const std::vector<Expr> axes = all_axes(to.size());
  std::vector<Expr> position(from.size());
  for (size_t f = 0, t = 0; f < from.size() || t < to.size();) {
    const auto [from_count, to_count] = next_group(from, f, to, t);
    Expr linear = 0;
    for (size_t i = t; i < t + to_count; ++i) linear = linear * to[i].expression() + axes[i];
    for (size_t i = f + from_count; i-- > f;) {
      // Nothing is read from a tensor without elements, but what pads one names a position there.
      const Expr size = from[i].known() == 0 ? Expr(1) : from[i].expression();
      const bool is_first = i == f;  // nothing is left over
      position[i] = is_first ? linear : mod(linear, size);
      if (!is_first) linear = floor_div(linear, size);
    }
    f += from_count;
    t += to_count;
  }
  return position;
}

Definition define_reshape(const Call& call) {
  const Shape shape = reshaped(call);
  return rearranged(call, shape, reshape_position(call.shape(0), shape));
}

std::optional<ViewGeometry> view_reshape(const Call& call) {
  const Tensor& x = call.operand(0);
  const Shape shape = reshaped(call);
  const auto strides = reshape_strides(x.shape(), x.strides(), shape);
  if (!strides) return std::nullopt;
  return ViewGeometry{shape, *strides, x.offset()};
}

Tensors decompose_flatten(const Call& call) {
  const Tensor& x = call.tensor("x");
  if (x.rank() == 0) return {reshape(x, {1})};
  const auto first = static_cast<size_t>(wrap_dim(call.integer("first"), x.rank()));
  const auto last = static_cast<size_t>(wrap_dim(call.integer("last"), x.rank()));
  if (first > last) {
    call.fail(ErrorCode::value, "`first` no later than `last`", concat(first, " and ", last));
  }
  Shape shape(x.shape().begin(), x.shape().begin() + first);
  shape.push_back(product(x.shape(), first, last + 1 - first));
  shape.append(x.shape().begin() + last + 1, x.shape().end());
  return {reshape(x, shape)};
}

Tensors decompose_squeeze(const Call& call) {
  const Tensor& x = call.tensor("x");
  const Ints dims = wrap_dims(call.ints("dims"), x.rank());
  Shape shape;
  for (int64_t dim = 0; dim < x.rank(); ++dim) {
    const bool is_named = std::ranges::find(dims, dim) != dims.end();
    if (!is_named || x.size(dim) != 1) shape.push_back(x.size(dim));
  }
  return {reshape(x, shape)};
}

Tensors decompose_unsqueeze(const Call& call) {
  const Tensor& x = call.tensor("x");
  Shape shape = x.shape();
  shape.insert(shape.begin() + wrap_dim(call.integer("dim"), x.rank() + 1), 1);
  return {reshape(x, shape)};
}

}  // namespace

void register_reshapes(Registry& ops) {
  ops.add({.schema = "reshape(Tensor(a) x, Size[] shape) -> Tensor(a)",
           .doc = "the elements in another shape; one size may be -1",
           .traits = Trait::View,
           .dtype = rule::same,
           .shape = [](const Call& call) { return std::vector<Shape>{reshaped(call)}; },
           .define = define_reshape,
           .grad = [](const Grads& g, const Saved& v) -> Tensors {
             return {reshape(g[0], v.shape(0))};
           },
           .view = view_reshape,
           .samples =
               [](SampleMaker& m) {
                 m.add(m.real({2, 6}), Shape{3, -1});
                 m.add(m.strided(m.real({2, 3, 5})), Shape{5, 6});
                 m.add(m.strided(m.real({4, 3, 2})), Shape{2, 2, 1, 3, 2});
                 m.add(m.real({1, 1}), Shape{});
                 m.add(m.real({0, 3}), Shape{7, 0});
               }});
  ops.add({.schema = "flatten(Tensor(a) x, Int first=0, Int last=-1) -> Tensor(a)",
           .doc = "dims first..last as one",
           .dtype = rule::same,
           .decompose = decompose_flatten,
           .samples = [](SampleMaker& m) {
             m.add(m.real({2, 3, 5}), 1, -1);
             m.add(m.real({}), 0, -1);
           }});
  ops.add({.schema = "squeeze(Tensor(a) x, Int[] dims=[]) -> Tensor(a)",
           .doc = "without the dims of size 1, or without those of them in `dims`",
           .dtype = rule::same,
           .decompose = decompose_squeeze,
           .samples = [](SampleMaker& m) {
             m.add(m.real({1, 3, 1}), Ints{});
             m.add(m.real({1, 3, 1}), Ints{1, -1});
           }});
  ops.add({.schema = "unsqueeze(Tensor(a) x, Int dim) -> Tensor(a)",
           .doc = "with a new dim of size 1",
           .dtype = rule::same,
           .decompose = decompose_unsqueeze,
           .samples = [](SampleMaker& m) {
             m.add(m.real({2, 3}), -1);
             m.add(m.real({}), 0);
           }});
}

}  // namespace ops
}  // namespace ridge

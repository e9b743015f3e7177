#include "ridge/ops/join.h"

#include "ridge/base/text.h"
#include "ridge/dispatch/call.h"
#include "ridge/ops/registry.h"
#include "ridge/ops/view.h"

namespace ridge {

Tensor cat(const std::vector<Tensor>& xs, int64_t dim, Location where) {
  static const auto& op = ops::find_op("cat");
  return dispatch::call_one(op, where, xs, dim);
}
Tensor stack(const std::vector<Tensor>& xs, int64_t dim, Location where) {
  static const auto& op = ops::find_op("stack");
  return dispatch::call_one(op, where, xs, dim);
}
Tensor pad(const At& x, const Ints& pads, double value) {
  static const auto& op = ops::find_op("pad");
  return dispatch::call_one(op, x.where(), x, pads, value);
}

std::vector<Tensor> split(const At& x, const Shape& sizes, int64_t dim) {
  const Size& extent = x.tensor().size(dim, x.where());
  Size end = 0;
  for (const Size& size : sizes) end = end + size;
  RIDGE_CHECK(end == extent, .code = ErrorCode::shape, .op = "split",
              .expected = concat("sizes that add up to ", extent), .given = to_text(sizes),
              .where = x.where());
  std::vector<Tensor> parts;
  Size start = 0;
  for (const Size& size : sizes) {
    parts.push_back(slice(x, dim, start, start + size));
    start = start + size;
  }
  return parts;
}

std::vector<Tensor> split(const At& x, int64_t size, int64_t dim) {
  RIDGE_CHECK(size > 0, .code = ErrorCode::value, .op = "split", .expected = "a size above 0",
              .given = to_text(size), .where = x.where());
  // How many tensors come out has to be known: a symbolic extent is read here.
  const int64_t extent = x.tensor().size(dim, x.where()).value(x.where());
  std::vector<Tensor> parts;
  for (int64_t start = 0; start == 0 || start < extent; start += size) {
    parts.push_back(slice(x, dim, start, start + size));
  }
  return parts;
}

namespace ops {
namespace {

using expr::Expr;
using expr::Type;

// --- cat ---

size_t cat_dim(const Call& call) {
  if (call.operands().empty()) call.fail(ErrorCode::value, "at least one tensor", "none");
  return static_cast<size_t>(wrap_dim(call.integer("dim"), call.operand(0).rank()));
}

std::vector<Shape> cat_shape(const Call& call) {
  const size_t dim = cat_dim(call);
  Shape result = call.shape(0);
  for (size_t i = 1; i < call.operands().size(); ++i) {
    const Shape& shape = call.shape(i);
    bool fits = shape.size() == result.size();
    for (size_t d = 0; fits && d < result.size(); ++d) fits = d == dim || shape[d] == result[d];
    if (!fits) {
      call.fail(ErrorCode::shape, concat("the sizes of ", call.shape(0), " except along dim ", dim),
                to_text(shape));
    }
    result[dim] = result[dim] + shape[dim];
  }
  return {result};
}

// Where each operand starts along `dim`, and where the last one ends.
std::vector<Size> offsets(const Call& call, size_t dim) {
  std::vector<Size> starts = {0};
  for (size_t i = 0; i < call.operands().size(); ++i) {
    starts.push_back(starts.back() + call.shape(i)[dim]);
  }
  return starts;
}

// The operand that covers the current point, found by halving: depth log n, not n.
Definition define_cat(const Call& call) {
  const size_t dim = cat_dim(call);
  const Shape shape = cat_shape(call)[0];
  const std::vector<Size> starts = offsets(call, dim);
  const Type type = scalar_type(promoted(call.operands()));
  const std::vector<Expr> axes = all_axes(shape.size());
  const auto among = [&](const auto& self, size_t first, size_t last) -> Expr {
    if (last - first == 1) {
      std::vector<Expr> position = axes;
      position[dim] = axes[dim] - starts[first].expression();
      return expr::load(static_cast<int>(first), type, std::move(position));
    }
    const size_t middle = first + (last - first) / 2;
    return select(axes[dim] < starts[middle].expression(), self(self, first, middle),
                  self(self, middle, last));
  };
  return {.extents = shape,
          .output_rank = shape.size(),
          .value = among(among, 0, call.operands().size())};
}

Tensors cat_grad(const Grads& g, const Saved& v) {
  const size_t dim = cat_dim(v);
  const std::vector<Size> starts = offsets(v, dim);
  Tensors grads(v.operands().size());
  for (size_t i = 0; i < grads.size(); ++i) {
    if (v.needs(i)) grads[i] = slice(g[0], static_cast<int64_t>(dim), starts[i], starts[i + 1]);
  }
  return grads;
}

Tensors decompose_stack(const Call& call) {
  if (call.operands().empty()) call.fail(ErrorCode::value, "at least one tensor", "none");
  const int64_t dim = wrap_dim(call.integer("dim"), call.operand(0).rank() + 1);
  Tensors xs;
  for (const Tensor& x : call.tensors("xs")) {
    if (!(x.shape() == call.shape(0))) {
      call.fail(ErrorCode::shape, "tensors of one shape, " + to_text(call.shape(0)),
                to_text(x.shape()));
    }
    xs.push_back(unsqueeze(x, dim));
  }
  return {cat(xs, dim)};
}

// --- pad ---

struct Margin {
  int64_t before = 0;
  int64_t after = 0;
};

// By dim of x, in its order.
std::vector<Margin> margins(const Call& call) {
  const std::span<const int64_t> pads = call.ints("pads");
  std::vector<Margin> result(call.shape(0).size());
  bool fits = pads.size() % 2 == 0 && pads.size() / 2 <= result.size();
  for (size_t i = 0; fits && i < pads.size() / 2; ++i) {
    result[result.size() - 1 - i] = {pads[2 * i], pads[2 * i + 1]};
    fits = pads[2 * i] >= 0 && pads[2 * i + 1] >= 0;
  }
  if (!fits) {
    call.fail(ErrorCode::value,
              concat("pairs of counts of at least 0, for up to ", result.size(), " dims"),
              ridge::to_text(pads));
  }
  return result;
}

std::vector<Shape> pad_shape(const Call& call) {
  const std::vector<Margin> around = margins(call);
  Shape shape = call.shape(0);
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    shape[dim] = around[dim].before + shape[dim] + around[dim].after;
  }
  return {shape};
}

Definition define_pad(const Call& call) {
  const std::vector<Margin> around = margins(call);
  const Shape shape = pad_shape(call)[0];
  const Type type = scalar_type(call.operand(0).dtype());
  std::vector<Expr> position = all_axes(shape.size());
  Expr is_inside = true;
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    const auto [before, after] = around[dim];
    position[dim] = position[dim] - before;
    if (before > 0) is_inside = is_inside && position[dim] >= 0;
    if (after > 0) is_inside = is_inside && position[dim] < call.shape(0)[dim].expression();
  }
  const auto value = static_cast<int>(call.schema().index_of("value"));
  return {.extents = shape,
          .output_rank = shape.size(),
          .value = select(is_inside, expr::load(0, type, std::move(position)),
                          cast(expr::param(value, Type::real), type))};
}

Tensors pad_grad(const Grads& g, const Saved& v) {
  const std::vector<Margin> around = margins(v);
  Tensor inner = g[0];
  for (size_t dim = 0; dim < around.size(); ++dim) {
    const auto [before, after] = around[dim];
    if (before == 0 && after == 0) continue;
    inner = slice(inner, static_cast<int64_t>(dim), before, after == 0 ? kEnd : -after);
  }
  return {inner};
}

}  // namespace

void register_join(Registry& ops) {
  ops.add({.schema = "cat(Tensor[] xs, Int dim=0) -> Tensor",
           .doc = "tensors one after the other along an existing dim",
           .dtype = rule::promote,
           .shape = cat_shape,
           .autocast = Autocast::widest,
           .define = define_cat,
           .grad = cat_grad,
           .samples = [](SampleMaker& m) {
             m.add(Tensors{m.real({2, 3}), m.real({5, 3})}, 0);
             m.add(Tensors{m.real({2, 3}), m.real({2, 0}), m.real({2, 5})}, -1);
             m.add(Tensors{m.real({7})}, 0);
           }});
  ops.add({.schema = "stack(Tensor[] xs, Int dim=0) -> Tensor",
           .doc = "tensors one after the other along a new dim",
           .dtype = rule::promote,
           .autocast = Autocast::widest,
           .decompose = decompose_stack,
           .samples = [](SampleMaker& m) {
             m.add(Tensors{m.real({2, 3}), m.real({2, 3})}, 1);
             m.add(Tensors{m.real({}), m.real({}), m.real({})}, 0);
           }});
  ops.add({.schema = "pad(Tensor x, Int[] pads, Float value=0) -> Tensor",
           .doc = "one value around x: pairs of counts before and after, last dim first",
           .dtype = rule::same,
           .shape = pad_shape,
           .define = define_pad,
           .grad = pad_grad,
           .samples = [](SampleMaker& m) {
             m.add(m.real({2, 3}), Ints{1, 2}, 0.0);
             m.add(m.real({2, 3, 5}), Ints{0, 0, 2, 0, 1, 1}, 1.0);
             m.add(m.real({0}), Ints{1, 1}, 1.0);
             m.add(m.real({}), Ints{}, 0.0);
           }});
}

}  // namespace ops
}  // namespace ridge

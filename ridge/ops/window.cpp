#include "ridge/ops/window.h"

#include "ridge/base/text.h"
#include "ridge/dispatch/call.h"
#include "ridge/ops/registry.h"

namespace ridge {

Tensor windows(const At& x, int64_t dim, int64_t kernel, int64_t stride, int64_t dilation) {
  static const auto& op = ops::find_op("windows");
  return dispatch::call_one(op, x.where(), x, dim, kernel, stride, dilation);
}

Tensor windows_adjoint(const At& grad, const Shape& shape, int64_t dim, int64_t stride,
                       int64_t dilation) {
  static const auto& op = ops::find_op("windows_adjoint");
  return dispatch::call_one(op, grad.where(), grad, shape, dim, stride, dilation);
}

namespace ops {
namespace {

using expr::Expr;

void check_positive(const Call& call, std::string_view parameter) {
  const int64_t value = call.integer(parameter);
  if (value >= 1) return;
  call.fail(ErrorCode::value, concat(parameter, " of at least 1"), std::to_string(value));
}

// The shape of the windows of x; fails if not even one fits.
Shape window_shape(const Call& call, const Shape& x, const Size& kernel) {
  check_positive(call, "stride");
  check_positive(call, "dilation");
  const auto dim =
      static_cast<size_t>(wrap_dim(call.integer("dim"), static_cast<int64_t>(x.size())));
  const Size span = (kernel - 1) * call.integer("dilation") + 1;
  if (x[dim] < span) {
    call.fail(ErrorCode::shape,
              concat("at least ", span, " elements in dim ", dim, ", the span of a window"),
              to_text(x));
  }
  Shape shape = x;
  shape[dim] = (x[dim] - span) / call.integer("stride") + 1;
  shape.push_back(kernel);
  return shape;
}

std::vector<Shape> windows_shape(const Call& call) {
  check_positive(call, "kernel");
  return {window_shape(call, call.shape(0), call.integer("kernel"))};
}

// Where element j of window i stands in x. `rank` is x's: j is the axis after those of x.
std::vector<Expr> window_position(const Call& call, size_t rank) {
  std::vector<Expr> position = all_axes(rank);
  Expr& along =
      position[static_cast<size_t>(wrap_dim(call.integer("dim"), static_cast<int64_t>(rank)))];
  along = along * call.integer("stride") +
          expr::axis(static_cast<int>(rank)) * call.integer("dilation");
  return position;
}

Definition define_windows(const Call& call) {
  const Shape extents = windows_shape(call)[0];
  return {.extents = extents,
          .output_rank = extents.size(),
          .value = expr::load(0, scalar_type(call.operand(0).dtype()),
                              window_position(call, extents.size() - 1))};
}

std::vector<Shape> adjoint_shape(const Call& call) {
  const Shape& given = call.shape(0);
  const Shape shape = call.sizes("shape");
  if (given.empty() || !(given == window_shape(call, shape, given.back()))) {
    call.fail(ErrorCode::shape, "the windows of " + to_text(shape), to_text(given));
  }
  return {shape};
}

Definition define_adjoint(const Call& call) {
  const Shape& extents = call.shape(0);
  const size_t rank = extents.size() - 1;
  const expr::Type type = scalar_type(call.operand(0).dtype());
  return {.extents = extents,
          .output_rank = rank,
          .reducer = Reducer::sum,
          .value = expr::load(0, type, all_axes(extents.size())),
          .target = window_position(call, rank),
          .initial = expr::cast(expr::constant(int64_t{0}), type)};
}

DTypeRule adjoint_dtypes() { return {"as given", {Accept::number}, rule::same().apply}; }

void windows_samples(SampleMaker& m) {
  const auto add = [&m](const Tensor& x, int64_t dim, int64_t kernel, int64_t stride,
                        int64_t dilation) { m.add(x, dim, kernel, stride, dilation); };
  add(m.real({7}), 0, 3, 1, 1);
  add(m.real({2, 11, 3}), 1, 3, 2, 2);
  add(m.strided(m.real({3, 5})), -1, 2, 3, 1);
  add(m.real({5, 1}), 1, 1, 1, 1);
  add(m.real({0, 5}), 1, 2, 1, 3);
}

void adjoint_samples(SampleMaker& m) {
  m.add(m.real({5, 3}), Shape{7}, int64_t{0}, int64_t{1}, int64_t{1});
  m.add(m.real({2, 4, 3, 3}), Shape{2, 11, 3}, int64_t{1}, int64_t{2}, int64_t{2});
  m.add(m.strided(m.real({3, 2, 2})), Shape{3, 5}, int64_t{-1}, int64_t{3}, int64_t{1});
  m.add(m.real({0, 2, 2}), Shape{0, 5}, int64_t{1}, int64_t{1}, int64_t{3});
}

}  // namespace

void register_window(Registry& ops) {
  ops.add({.schema = "windows(Tensor(a) x, Int dim, Int kernel, Int stride=1, Int dilation=1) "
                     "-> Tensor(a)",
           .doc = "sliding windows along `dim`, as a new last dimension",
           .traits = Trait::View,
           .dtype = rule::same,
           .shape = windows_shape,
           .define = define_windows,
           .grad = [](const Grads& g, const Saved& v) -> Tensors {
             return {windows_adjoint(g[0], v.shape(0), v.integer("dim"), v.integer("stride"),
                                     v.integer("dilation"))};
           },
           .samples = windows_samples});

  ops.add({.schema = "windows_adjoint(Tensor grad, Size[] shape, Int dim, Int stride=1, "
                     "Int dilation=1) -> Tensor",
           .doc = "the sum of overlapping windows, laid back over a tensor of `shape`",
           .dtype = adjoint_dtypes,
           .shape = adjoint_shape,
           .define = define_adjoint,
           .grad = [](const Grads& g, const Saved& v) -> Tensors {
             return {windows(g[0], v.integer("dim"), v.shape(0).back().value(), v.integer("stride"),
                             v.integer("dilation"))};
           },
           .samples = adjoint_samples});
}

}  // namespace ops
}  // namespace ridge

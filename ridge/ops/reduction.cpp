#include "ridge/ops/reduction.h"

#include <algorithm>
#include <limits>

#include "ridge/base/text.h"
#include "ridge/dispatch/call.h"
#include "ridge/ops/arithmetic.h"
#include "ridge/ops/comparison.h"
#include "ridge/ops/creation.h"
#include "ridge/ops/registry.h"
#include "ridge/ops/unary.h"
#include "ridge/ops/view.h"

namespace ridge {

Tensor sum(const At& x, const Ints& dims, bool keepdim) {
  static const auto& op = ops::find_op("sum");
  return dispatch::call_one(op, x.where(), x, dims, keepdim);
}
Tensor prod(const At& x, const Ints& dims, bool keepdim) {
  static const auto& op = ops::find_op("prod");
  return dispatch::call_one(op, x.where(), x, dims, keepdim);
}
Tensor mean(const At& x, const Ints& dims, bool keepdim) {
  static const auto& op = ops::find_op("mean");
  return dispatch::call_one(op, x.where(), x, dims, keepdim);
}
Tensor var(const At& x, const Ints& dims, int64_t correction, bool keepdim) {
  static const auto& op = ops::find_op("var");
  return dispatch::call_one(op, x.where(), x, dims, correction, keepdim);
}
Tensor std(const At& x, const Ints& dims, int64_t correction, bool keepdim) {
  static const auto& op = ops::find_op("std");
  return dispatch::call_one(op, x.where(), x, dims, correction, keepdim);
}
Tensor logsumexp(const At& x, const Ints& dims, bool keepdim) {
  static const auto& op = ops::find_op("logsumexp");
  return dispatch::call_one(op, x.where(), x, dims, keepdim);
}
Tensor max(const At& x, const Ints& dims, bool keepdim) {
  static const auto& op = ops::find_op("max");
  return dispatch::call_one(op, x.where(), x, dims, keepdim);
}
Tensor min(const At& x, const Ints& dims, bool keepdim) {
  static const auto& op = ops::find_op("min");
  return dispatch::call_one(op, x.where(), x, dims, keepdim);
}
Tensor any(const At& x, const Ints& dims, bool keepdim) {
  static const auto& op = ops::find_op("any");
  return dispatch::call_one(op, x.where(), x, dims, keepdim);
}
Tensor all(const At& x, const Ints& dims, bool keepdim) {
  static const auto& op = ops::find_op("all");
  return dispatch::call_one(op, x.where(), x, dims, keepdim);
}
Tensor argmax(const At& x, int64_t dim, bool keepdim) {
  static const auto& op = ops::find_op("argmax");
  return dispatch::call_one(op, x.where(), x, dim, keepdim);
}
Tensor argmin(const At& x, int64_t dim, bool keepdim) {
  static const auto& op = ops::find_op("argmin");
  return dispatch::call_one(op, x.where(), x, dim, keepdim);
}

Tensor sum_to(const At& x, const Shape& shape) {
  const Shape& wide = x.tensor().shape();
  RIDGE_CHECK(wide.size() >= shape.size(), .code = ErrorCode::shape, .op = "sum_to",
              .expected = "a shape that broadcasts to " + to_text(wide), .given = to_text(shape),
              .where = x.where());
  const size_t added = wide.size() - shape.size();
  Ints stretched;
  for (size_t dim = 0; dim < wide.size(); ++dim) {
    const bool is_stretched =
        dim < added || (!wide[dim].is_same(shape[dim - added]) && shape[dim - added] == 1);
    if (is_stretched) stretched.push_back(static_cast<int64_t>(dim));
  }
  if (stretched.empty()) return x.tensor();
  const Tensor total = sum(x, stretched, true);
  return added == 0 ? total : reshape(total, shape);
}

namespace ops {
namespace {

using expr::Expr;
using expr::Type;

// x reduced over `dims`: the axes of the result first, then those that are reduced.
Definition reduction(const Call& call, std::span<const int64_t> dims, Reducer reducer, Type type) {
  const Shape& shape = call.shape(0);
  const bool keepdim = call.flag("keepdim");
  const Ints reduced = wrap_dims(dims, call.operand(0).rank());

  Definition definition{.extents = reduced_shape(shape, dims, keepdim), .reducer = reducer};
  definition.output_rank = definition.extents.size();
  std::vector<Expr> position;
  int next_kept = 0;
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    const bool is_reduced = std::ranges::find(reduced, static_cast<int64_t>(dim)) != reduced.end();
    if (is_reduced) {
      position.push_back(expr::axis(static_cast<int>(definition.extents.size())));
      definition.extents.push_back(shape[dim]);
    } else {
      position.push_back(expr::axis(next_kept));
    }
    if (!is_reduced || keepdim) ++next_kept;
  }
  const Expr element = expr::load(0, scalar_type(call.operand(0).dtype()), std::move(position));
  definition.value = cast(element, type);
  return definition;
}

Type own_type(const Call& call) { return scalar_type(call.operand(0).dtype()); }

// Bool and integers are summed as i64.
Type sum_type(const Call& call) { return std::max(Type::integer, own_type(call)); }

// A result, or its gradient, with the reduced dims of x back as size 1.
Tensor with_dims(const Tensor& reduced, const Call& call) {
  if (call.flag("keepdim")) return reduced;
  return reshape(reduced, reduced_shape(call.shape(0), call.ints("dims"), true));
}

// How many elements of x go into one of the result.
Size reduced_count(const Call& call) {
  Size count = 1;
  for (const int64_t dim : wrap_dims(call.ints("dims"), call.operand(0).rank())) {
    count = count * call.operand(0).size(dim);
  }
  return count;
}

// There is no maximum of nothing.
void check_not_empty(const Call& call, std::span<const int64_t> dims) {
  const Shape& shape = call.shape(0);
  for (const int64_t dim : wrap_dims(dims, call.operand(0).rank())) {
    if (shape[static_cast<size_t>(dim)] == 0) {
      call.fail(ErrorCode::shape, "at least one element along every reduced dim",
                concat(shape, " reduced over dim ", dim));
    }
  }
}

std::vector<Shape> extremum_shape(const Call& call) {
  check_not_empty(call, call.ints("dims"));
  return rule::reduce(call);
}

std::vector<Shape> position_shape(const Call& call) {
  const int64_t dim = call.integer("dim");
  wrap_dim(dim, call.operand(0).rank());
  check_not_empty(call, {&dim, 1});
  return {reduced_shape(call.shape(0), {&dim, 1}, call.flag("keepdim"))};
}

Definition define_position(const Call& call, Reducer reducer) {
  const int64_t dim = call.integer("dim");
  return reduction(call, {&dim, 1}, reducer, own_type(call));
}

// --- gradients ---

Tensors sum_grad(const Grads& g, const Saved& v) {
  return {expand(with_dims(g[0], v), v.shape(0))};
}

Tensors extremum_grad(const Grads& g, const Saved& v) {
  const Tensor is_extremum = v.tensor("x") == with_dims(v.output(), v);
  const Tensor share = with_dims(g[0], v) / sum(is_extremum, Ints(v.ints("dims")), true);
  return {where(is_extremum, share, 0)};
}

// The product of the other elements, without dividing by a zero: that of the others which are not
// zero, times 1, the one other zero, or nothing. The one other zero is kept as a value so that the
// derivative of this gradient is right too.
Tensors prod_grad(const Grads& g, const Saved& v) {
  const Tensor& x = v.tensor("x");
  const Ints dims(v.ints("dims"));
  const Tensor is_zero = x == 0;
  const Tensor zero_part = where(is_zero, x, 0);
  const Tensor rest = where(is_zero, 1, x);
  const Tensor other_zeros = sum(is_zero, dims, true) - cast(is_zero, i64);
  const Tensor other_zero = sum(zero_part, dims, true) - zero_part;
  const Tensor factor = where(other_zeros == 0, 1, where(other_zeros == 1, other_zero, 0));
  return {with_dims(g[0], v) * (prod(rest, dims, true) / rest) * factor};
}

// Flat where all elements are equal, as in PyTorch; the true slope there is not defined.
Tensors std_grad(const Grads& g, const Saved& v) {
  const Tensor x = widened(v.tensor("x"));
  const Tensor deviation = widened(with_dims(v.output(), v));
  const Tensor is_flat = deviation == 0;
  const Tensor slope = where(is_flat, 0, with_dims(g[0], v) / where(is_flat, 1, deviation));
  const Tensor count =
      element_count({max(reduced_count(v) - v.integer("correction"), 0)}, x.device());
  return {slope / count * (x - mean(x, Ints(v.ints("dims")), true))};
}

Tensors logsumexp_grad(const Grads& g, const Saved& v) {
  const Tensor result = widened(with_dims(v.output(), v));
  // exp(-inf - -inf) would be NaN where every element is -inf.
  const Tensor shift = where(result == -std::numeric_limits<double>::infinity(), 0, result);
  return {with_dims(g[0], v) * exp(v.tensor("x") - shift)};
}

// --- compositions ---

Tensors decompose_mean(const Call& call) {
  const Tensor& x = call.tensor("x");
  const Tensor total = sum(x, Ints(call.ints("dims")), call.flag("keepdim"));
  return {total / element_count({reduced_count(call)}, x.device())};
}

Tensors decompose_var(const Call& call) {
  const Tensor& x = call.tensor("x");
  const Ints dims(call.ints("dims"));
  const Tensor squares = sum(square(x - mean(x, dims, true)), dims, call.flag("keepdim"));
  const Size count = max(reduced_count(call) - call.integer("correction"), 0);
  return {squares / element_count({count}, x.device())};
}

Tensors decompose_std(const Call& call) {
  return {sqrt(var(call.tensor("x"), Ints(call.ints("dims")), call.integer("correction"),
                   call.flag("keepdim")))};
}

Tensors decompose_logsumexp(const Call& call) {
  const Tensor& x = call.tensor("x");
  const Ints dims(call.ints("dims"));
  if (reduced_count(call) == 0) return {log(sum(exp(x), dims, call.flag("keepdim")))};
  // An infinite maximum is no shift: inf - inf is NaN.
  const Tensor top = max(x, dims, true);
  const Tensor shift = where(is_finite(top), top, 0);
  const Tensor total = log(sum(exp(x - shift), dims, true)) + shift;
  return {reshape(total, rule::reduce(call)[0])};
}

// --- samples ---

template <class Add>
void each_reduction(Add add) {
  add(Shape{2, 3, 5}, Ints{}, false);
  add(Shape{2, 3, 5}, Ints{1}, false);
  add(Shape{2, 3, 5}, Ints{-1, 0}, true);
  add(Shape{13, 3}, Ints{0}, true);
  add(Shape{7, 1}, Ints{1}, false);
  add(Shape{}, Ints{}, false);
}

void reduction_samples(SampleMaker& m) {
  each_reduction([&m](const Shape& shape, const Ints& dims, bool keepdim) {
    m.add(m.real(shape), dims, keepdim);
  });
  m.add(m.real({0, 3}), Ints{0}, false);
}

void distinct_samples(SampleMaker& m) {
  each_reduction([&m](const Shape& shape, const Ints& dims, bool keepdim) {
    m.add(m.distinct(shape), dims, keepdim);
  });
}

void spread_samples(SampleMaker& m) {
  each_reduction([&m](const Shape& shape, const Ints& dims, bool keepdim) {
    m.add(m.distinct(shape), dims, 0, keepdim);
  });
  m.add(m.real({3, 5}), Ints{1}, 1, false);
}

void position_samples(SampleMaker& m) {
  m.add(m.distinct({7}), 0, false);
  m.add(m.distinct({2, 3, 5}), 1, true);
  m.add(m.strided(m.distinct({5, 3})), -1, false);
}

void register_sums(Registry& ops) {
  ops.add({.schema = "sum(Tensor x, Int[] dims=[], Bool keepdim=false) -> Tensor",
           .doc = "the sum over `dims`; bool and integers give i64",
           .dtype = rule::accumulate,
           .shape = rule::reduce,
           .autocast = Autocast::full,
           .define =
               [](const Call& call) {
                 return reduction(call, call.ints("dims"), Reducer::sum, sum_type(call));
               },
           .grad = sum_grad,
           .samples = reduction_samples});
  ops.add({.schema = "prod(Tensor x, Int[] dims=[], Bool keepdim=false) -> Tensor",
           .doc = "the product over `dims`; bool and integers give i64",
           .dtype = rule::accumulate,
           .shape = rule::reduce,
           .autocast = Autocast::full,
           .define =
               [](const Call& call) {
                 return reduction(call, call.ints("dims"), Reducer::prod, sum_type(call));
               },
           .saves = "x",
           .grad = prod_grad,
           .samples = reduction_samples});
  ops.add({.schema = "mean(Tensor x, Int[] dims=[], Bool keepdim=false) -> Tensor",
           .doc = "the mean over `dims`",
           .traits = Trait::Wide,
           .dtype = rule::float_only,
           .autocast = Autocast::full,
           .decompose = decompose_mean,
           .samples = reduction_samples});
  ops.add({.schema = "logsumexp(Tensor x, Int[] dims=[], Bool keepdim=false) -> Tensor",
           .doc = "log(sum(exp(x))) over `dims`, without overflow",
           .traits = Trait::Wide,
           .dtype = rule::float_only,
           .autocast = Autocast::full,
           .decompose = decompose_logsumexp,
           .saves = "x, result",
           .grad = logsumexp_grad,
           .samples = reduction_samples});
}

void register_spreads(Registry& ops) {
  ops.add({.schema = "var(Tensor x, Int[] dims=[], Int correction=1, Bool keepdim=false) -> Tensor",
           .doc = "the variance over `dims`, divided by the count less `correction`",
           .traits = Trait::Wide,
           .dtype = rule::float_only,
           .autocast = Autocast::full,
           .decompose = decompose_var,
           .samples = spread_samples});
  ops.add({.schema = "std(Tensor x, Int[] dims=[], Int correction=1, Bool keepdim=false) -> Tensor",
           .doc = "the standard deviation over `dims`",
           .traits = Trait::Wide,
           .dtype = rule::float_only,
           .autocast = Autocast::full,
           .decompose = decompose_std,
           .saves = "x, result",
           .grad = std_grad,
           .samples = spread_samples});
}

void register_extrema(Registry& ops) {
  ops.add({.schema = "max(Tensor x, Int[] dims=[], Bool keepdim=false) -> Tensor",
           .doc = "the greatest value over `dims`, NaN if there is one",
           .dtype = rule::promote,
           .shape = extremum_shape,
           .define =
               [](const Call& call) {
                 return reduction(call, call.ints("dims"), Reducer::max, own_type(call));
               },
           .saves = "x, result",
           .grad = extremum_grad,
           .samples = distinct_samples});
  ops.add({.schema = "min(Tensor x, Int[] dims=[], Bool keepdim=false) -> Tensor",
           .doc = "the least value over `dims`, NaN if there is one",
           .dtype = rule::promote,
           .shape = extremum_shape,
           .define =
               [](const Call& call) {
                 return reduction(call, call.ints("dims"), Reducer::min, own_type(call));
               },
           .saves = "x, result",
           .grad = extremum_grad,
           .samples = distinct_samples});
  ops.add({.schema = "argmax(Tensor x, Int dim, Bool keepdim=false) -> Tensor",
           .doc = "the position of the first greatest value along `dim`",
           .dtype = rule::position,
           .shape = position_shape,
           .define = [](const Call& call) { return define_position(call, Reducer::argmax); },
           .differentiable = false,
           .samples = position_samples});
  ops.add({.schema = "argmin(Tensor x, Int dim, Bool keepdim=false) -> Tensor",
           .doc = "the position of the first least value along `dim`",
           .dtype = rule::position,
           .shape = position_shape,
           .define = [](const Call& call) { return define_position(call, Reducer::argmin); },
           .differentiable = false,
           .samples = position_samples});
}

void register_quantifiers(Registry& ops) {
  ops.add({.schema = "any(Tensor x, Int[] dims=[], Bool keepdim=false) -> Tensor",
           .doc = "is any element over `dims` true, that is not zero?",
           .dtype = rule::logical,
           .shape = rule::reduce,
           .define =
               [](const Call& call) {
                 return reduction(call, call.ints("dims"), Reducer::any, Type::boolean);
               },
           .differentiable = false,
           .samples = reduction_samples});
  ops.add({.schema = "all(Tensor x, Int[] dims=[], Bool keepdim=false) -> Tensor",
           .doc = "are all elements over `dims` true, that is not zero?",
           .dtype = rule::logical,
           .shape = rule::reduce,
           .define =
               [](const Call& call) {
                 return reduction(call, call.ints("dims"), Reducer::all, Type::boolean);
               },
           .differentiable = false,
           .samples = reduction_samples});
}

}  // namespace

void register_reduction(Registry& ops) {
  register_sums(ops);
  register_spreads(ops);
  register_extrema(ops);
  register_quantifiers(ops);
}

}  // namespace ops
}  // namespace ridge

#include "ridge/codegen/cuda/value_ranges.h"

#include <algorithm>
#include <vector>

#include "ridge/expr/expr.h"
#include "ridge/expr/interval.h"

namespace ridge::codegen::cuda {
namespace {

using expr::Function;
using expr::Kind;
using expr::Node;
using expr::Type;

constexpr int64_t kLargestMultiple = 1 << 20;  // no access needs more
constexpr Interval kInt32{std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max()};

int64_t power_of_two_in(int64_t n) {
  return n == 0 ? kLargestMultiple : std::min(kLargestMultiple, n & -n);
}

Interval range_of(DType dtype) {
  if (dtype == boolean) return {0, 1};
  if (!is_integer(dtype) || dtype.bits == 64) return {};
  const int64_t span = int64_t{1} << dtype.bits;
  const bool is_signed = dtype.kind == DTypeKind::signed_integer;
  return is_signed ? Interval{-span / 2, span / 2 - 1} : Interval{0, span - 1};
}

}  // namespace

bool fits_int32(const Interval& range) {
  return range.low >= kInt32.low && range.high <= kInt32.high;
}

ValueRanges::ValueRanges(const loop::Kernel& kernel, const CudaTarget& target)
    : kernel_(kernel),
      target_(target),
      axes_(static_cast<size_t>(kernel.axis_count)),
      values_(kernel.values.size()) {}

void ValueRanges::set_axis(int axis, const Expr& extent, int64_t largest) {
  const int64_t most = std::min(of(extent).range.high, largest);
  axes_[static_cast<size_t>(axis)] = {.range = {0, std::max<int64_t>(most, 1) - 1},
                                      .is_index = true};
  known_.clear();
}

void ValueRanges::set_value(int value, const ValueFact& fact) {
  ValueFact& known = values_[static_cast<size_t>(value)];
  known = fact;
  known.is_index = false;
  known_.clear();
}

const ValueFact& ValueRanges::of(const Expr& e) {
  expr::walk(e, [&](const Expr& node) {
    if (!known_.contains(node.get())) known_.emplace(node.get(), Entry{node, of_node(*node)});
  });
  return known_.at(e.get()).fact;
}

ValueFact ValueRanges::of_node(const Node& node) const {
  const auto index = static_cast<size_t>(node.index);
  switch (node.kind) {
    case Kind::constant:
      if (node.type == Type::real) return {.low = node.real, .high = node.real, .is_index = true};
      return {.range = Interval::point(node.integer),
              .multiple = power_of_two_in(node.integer),
              .is_index = true};
    case Kind::axis: return axes_[index];
    case Kind::param:
      return {.range = {0, target_.fits_32_bits ? kInt32.high : Interval{}.high}, .is_index = true};
    case Kind::input: return values_[index];
    case Kind::load: return {.range = range_of(kernel_.buffers[index].dtype)};
    case Kind::symbol: return {};
    case Kind::call: return of_call(node);
    case Kind::cast: {
      ValueFact fact = arg(node, 0);
      if (node.type == Type::boolean) fact.range = {0, 1};
      const bool is_from_real = node.args[0]->type == Type::real;
      if (node.type == Type::integer && is_from_real) fact = {};
      if (node.type == Type::real) {
        fact.low = static_cast<double>(fact.range.low);
        fact.high = static_cast<double>(fact.range.high);
      }
      return fact;
    }
  }
  return {};
}

ValueFact ValueRanges::of_call(const Node& node) const {
  ValueFact fact{.is_index = true};
  for (size_t i = 0; i < node.args.size(); ++i) fact.is_index &= arg(node, i).is_index;
  if (node.type == Type::boolean) fact.range = {0, 1};
  if (node.type == Type::real) bound_real_call(node, fact);
  if (node.type != Type::integer) return fact;
  const ValueFact a = arg(node, 0);
  const ValueFact b = node.args.size() > 1 ? arg(node, 1) : ValueFact{};
  const int64_t common = std::min(a.multiple, b.multiple);
  const auto set = [&](Interval range, int64_t multiple) {
    fact.range = range;
    fact.multiple = multiple;
  };
  const Function f = node.function;
  if (f == Function::neg) set(-a.range, a.multiple);
  if (f == Function::add) set(a.range + b.range, common);
  if (f == Function::sub) set(a.range - b.range, common);
  if (f == Function::mul) {
    set(a.range * b.range, std::min(kLargestMultiple, a.multiple * b.multiple));
  }
  if (f == Function::min) set(min(a.range, b.range), common);
  if (f == Function::max) set(max(a.range, b.range), common);
  if (f == Function::floor_div) {
    const bool is_exact = b.range.is_point() && b.range.low == b.multiple;
    set(floor_div(a.range, b.range), is_exact ? std::max<int64_t>(1, a.multiple / b.multiple) : 1);
  }
  if (f == Function::mod) set(mod(a.range, b.range), common);
  if (f == Function::select) {
    const ValueFact c = arg(node, 2);
    set(hull(b.range, c.range), std::min(b.multiple, c.multiple));
  }
  if (f == Function::abs) set(max(a.range, -a.range), a.multiple);
  if (f == Function::sign) set({-1, 1}, 1);
  // What is out of range is 0 from then on.
  if (f == Function::checked_index) {
    set({0, std::max<int64_t>(b.range.high, 1) - 1}, a.multiple);
  }
  if (f == Function::philox) set({0, 0xffffffff}, 1);
  if (f == Function::shift_right && a.range.low >= 0 && b.range.low >= 0 && b.range.high <= 63) {
    set({a.range.low >> b.range.high, a.range.high >> b.range.low}, 1);
  }
  if (target_.fits_32_bits && fact.is_index) {
    fact.range = intersect(fact.range, kInt32).value_or(kInt32);
  }
  return fact;
}

void ValueRanges::bound_real_call(const Node& node, ValueFact& fact) const {
  std::vector<expr::RealRange> arguments;
  for (size_t i = 0; i < node.args.size(); ++i) {
    arguments.push_back({arg(node, i).low, arg(node, i).high});
  }
  const expr::RealRange range = expr::range_of_call(node.function, arguments);
  fact.low = range.low;
  fact.high = range.high;
}

}  // namespace ridge::codegen::cuda

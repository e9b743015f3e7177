// The interval of an expression, from those of its arguments.
//
// Integer arithmetic wraps, so a bound is only worth something if nothing can have overflowed:
// where the exact result might not fit, the answer is `all`.
#include <algorithm>

#include "ridge/expr/simplifier.h"
#include "ridge/expr/symbol.h"

namespace ridge::expr {
namespace {

constexpr Interval kBoolean = {0, 1};
constexpr Interval kRandomBits = {0, (int64_t{1} << 32) - 1};

// No size reaches 2^62 (see size.h), so no symbol does, even if its range is open.
constexpr Interval kSizes = {1 - (int64_t{1} << 62), (int64_t{1} << 62) - 1};

// An end that saturated may stand for a value that wrapped around.
Interval unless_wrapped(Interval exact) {
  const Interval all = Interval::all();
  return exact.low == all.low || exact.high == all.high ? all : exact;
}

Interval truth(bool is_certain, bool is_impossible) {
  if (is_certain) return Interval::point(1);
  return is_impossible ? Interval::point(0) : kBoolean;
}

Interval negated(Interval a) { return {1 - a.high, 1 - a.low}; }

Interval equal(Interval a, Interval b) {
  return truth(a.is_point() && a == b, !intersect(a, b).has_value());
}
Interval less(Interval a, Interval b) { return truth(a.high < b.low, a.low >= b.high); }
Interval less_equal(Interval a, Interval b) { return truth(a.high <= b.low, a.low > b.high); }

Interval abs(Interval a) {
  if (a.low >= 0) return a;
  const Interval mirrored = unless_wrapped(-a);
  if (a.high <= 0) return mirrored;
  return mirrored == Interval::all() ? mirrored : Interval{0, std::max(a.high, mirrored.high)};
}

Interval sign(Interval a) {
  const auto of = [](int64_t x) { return int64_t{x > 0} - int64_t{x < 0}; };
  return {of(a.low), of(a.high)};
}

// Only where the power grows with both operands.
Interval pow(Interval base, Interval exponent) {
  if (base.low < 1 || exponent.low < 0) return Interval::all();
  const auto power = [](int64_t a, int64_t b) {
    Interval result = Interval::point(1);  // an interval, because its product saturates
    for (int64_t i = 0; i < std::min<int64_t>(b, 64) && a > 1; ++i) {
      result = result * Interval::point(a);
    }
    return result.low;
  };
  return unless_wrapped({power(base.low, exponent.low), power(base.high, exponent.high)});
}

Interval floor_div_wrapping(Interval a, Interval b) {
  // Only INT64_MIN / -1 overflows.
  const bool may_wrap = a.low == Interval::all().low && b.contains(-1);
  return may_wrap ? Interval::all() : floor_div(a, b);
}

}  // namespace

Interval IntervalCache::of_call(const Node& node) const {
  const Interval a = of_arg(node, 0);
  const Interval b = node.args.size() > 1 ? of_arg(node, 1) : a;
  switch (node.function) {
    case Function::neg: return unless_wrapped(-a);
    case Function::add: return unless_wrapped(a + b);
    case Function::sub: return unless_wrapped(a - b);
    case Function::mul: return unless_wrapped(a * b);
    case Function::floor_div: return floor_div_wrapping(a, b);
    case Function::mod: return mod(a, b);
    case Function::pow: return pow(a, b);
    case Function::min: return min(a, b);
    case Function::max: return max(a, b);
    case Function::abs: return abs(a);
    case Function::sign: return sign(a);

    case Function::equal: return equal(a, b);
    case Function::not_equal: return negated(equal(a, b));
    case Function::less: return less(a, b);
    case Function::less_equal: return less_equal(a, b);
    case Function::logical_and: return min(a, b);
    case Function::logical_or: return max(a, b);
    case Function::logical_xor: return negated(equal(a, b));
    case Function::logical_not: return negated(a);
    case Function::is_nan: return kBoolean;
    case Function::select:
      if (a.is_point()) return of_arg(node, a.low != 0 ? 1 : 2);
      return hull(of_arg(node, 1), of_arg(node, 2));

    case Function::checked_index:
      // What is out of range does not come out at all.
      return intersect(a, {0, std::max<int64_t>(b.high, 1) - 1}).value_or(Interval::point(0));
    case Function::philox: return kRandomBits;
    case Function::shift_right:
      if (a.low < 0 || b.low < 0 || b.high > 63) return Interval::all();
      return {a.low >> b.high, a.high >> b.low};

    case Function::floor:
    case Function::ceil:
    case Function::round:
    case Function::trunc:
    case Function::fma:
    case Function::div:
    case Function::exp:
    case Function::log:
    case Function::sqrt:
    case Function::rsqrt:
    case Function::sin:
    case Function::cos:
    case Function::tanh:
    case Function::erf:
    case Function::f16_value: return Interval::all();  // reals
  }
  return Interval::all();
}

Interval IntervalCache::from_args(const Node& node) const {
  const Interval widest = node.type == Type::boolean ? kBoolean : Interval::all();
  switch (node.kind) {
    case Kind::constant:
      return node.type == Type::real ? Interval::all() : Interval::point(node.integer);
    case Kind::symbol: return intersect(node.symbol->range(), kSizes).value_or(kSizes);
    case Kind::axis: return axes_ ? axes_(node.index) : Interval::all();
    case Kind::input:
    case Kind::param:
    case Kind::load: return widest;
    case Kind::call: return node.type == Type::real ? Interval::all() : of_call(node);
    case Kind::cast:
      if (node.args[0]->type == Type::real || node.type == Type::real) return widest;
      if (node.type == Type::integer) return of_arg(node, 0);
      return negated(equal(of_arg(node, 0), Interval::point(0)));
  }
  return widest;
}

Interval IntervalCache::of(const Expr& e) {
  // Many that are asked about are a size or an axis: computed sooner than looked up, or kept.
  if (e->args.empty()) return from_args(*e);
  if (const auto known = known_.find(e.get()); known != known_.end()) return known->second.interval;
  // `walk` would go through parts that are known already, which in a simplifier are most of them.
  std::vector<const Expr*> open = {&e};
  while (!open.empty()) {
    const Expr& next = *open.back();
    const size_t before = open.size();
    for (const Expr& arg : next->args) {
      if (!known_.contains(arg.get())) open.push_back(&arg);
    }
    if (open.size() > before) continue;
    open.pop_back();
    known_.try_emplace(next.get(), Entry{next, from_args(*next)});
  }
  return known_.at(e.get()).interval;
}

Interval interval_of(const Expr& e, const AxisRanges& axes) { return IntervalCache(axes).of(e); }

}  // namespace ridge::expr

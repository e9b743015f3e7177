// Booleans, choices and conversions.
#include <limits>

#include "ridge/expr/polynomial.h"
#include "ridge/expr/simplifier.h"

namespace ridge::expr {
namespace {

// Every integer of at most this size is a double.
constexpr int64_t kLargestExactReal = int64_t{1} << 53;

bool fits_real_exactly(Interval values) {
  return values.low >= -kLargestExactReal && values.high <= kLargestExactReal;
}

}  // namespace

Expr simplify_xor(const Expr& e) {
  Expr a = e->args[0];
  Expr b = e->args[1];
  if (same(a, b)) return constant(false);
  if (compare(b, a) < 0) std::swap(a, b);  // constants come first in the order
  if (is_constant(a)) return is_constant(a, 0) ? b : !b;
  return call(Function::logical_xor, {a, b});
}

// The opposite of a comparison is a comparison, except that !(a < b) is not b <= a with a NaN.
Expr simplify_not(Simplifier& s, const Expr& e) {
  const Expr& inner = e->args[0];
  if (inner->kind != Kind::call) return e;
  if (inner->function == Function::logical_not) return inner->args[0];
  const bool has_reals = inner->args[0]->type == Type::real;
  const auto compared = [&](Function opposite, size_t first, size_t second) {
    return simplify_comparison(s, call(opposite, {inner->args[first], inner->args[second]}));
  };
  if (inner->function == Function::equal) return compared(Function::not_equal, 0, 1);
  if (inner->function == Function::not_equal) return compared(Function::equal, 0, 1);
  if (has_reals) return e;
  if (inner->function == Function::less) return compared(Function::less_equal, 1, 0);
  if (inner->function == Function::less_equal) return compared(Function::less, 1, 0);
  return e;
}

Expr simplify_select(Simplifier& s, const Expr& e) {
  const Expr& condition = e->args[0];
  const Expr& if_true = e->args[1];
  const Expr& if_false = e->args[2];
  if (is_constant(condition)) return is_constant(condition, 1) ? if_true : if_false;
  if (same(if_true, if_false)) return if_true;
  const bool is_negative =
      is_call(condition, Function::logical_not) || is_call(condition, Function::not_equal);
  if (is_negative) {
    const Expr positive = is_call(condition, Function::not_equal)
                              ? equal(condition->args[0], condition->args[1])
                              : condition->args[0];
    return simplify_select(s, select(positive, if_false, if_true));
  }
  // A choice between 1 and 0 is the condition itself. Reals keep the choice, which is cheaper.
  if (e->type == Type::real || !is_constant(if_true) || !is_constant(if_false)) return e;
  if (is_constant(if_true, 1) && is_constant(if_false, 0)) return cast(condition, e->type);
  const bool is_opposite = is_constant(if_true, 0) && is_constant(if_false, 1);
  return is_opposite ? cast(simplify_not(s, !condition), e->type) : e;
}

Expr simplify_cast(Simplifier& s, const Expr& e) {
  const Expr& value = e->args[0];
  if (value->kind == Kind::cast) {
    // A cast on the way that loses nothing can be left out.
    const Expr& source = value->args[0];
    const bool keeps_value = source->type == Type::boolean ||
                             (source->type == Type::integer && value->type == Type::real &&
                              (e->type == Type::boolean || fits_real_exactly(s.interval(source))));
    if (keeps_value) {
      const Expr direct = cast(source, e->type);
      return direct->kind == Kind::cast ? simplify_cast(s, direct) : direct;
    }
  }
  const bool is_test = e->type == Type::boolean && value->type == Type::integer;
  return is_test ? simplify_comparison(s, not_equal(value, 0)) : e;
}

}  // namespace ridge::expr

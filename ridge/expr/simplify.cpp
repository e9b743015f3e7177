#include "ridge/expr/simplify.h"

#include <algorithm>
#include <bit>

#include "ridge/base/per_thread.h"
#include "ridge/expr/integer.h"
#include "ridge/expr/recent_answers.h"
#include "ridge/expr/simplifier.h"

namespace ridge::expr {
namespace {

// Rules feed each other, so we go on until nothing changes. Two rounds are usual; the limit is
// there so that a pair of rules undoing each other would be a missed simplification, not a hang.
constexpr int kMaxRounds = 8;

std::optional<Interval> exact_product(Interval a, Interval b) {
  std::optional<Interval> result;
  for (const int64_t x : {a.low, a.high}) {
    for (const int64_t y : {b.low, b.high}) {
      const auto corner = checked_mul(x, y);
      if (!corner) return std::nullopt;
      result = result ? hull(*result, Interval::point(*corner)) : Interval::point(*corner);
    }
  }
  return result;
}

bool is_checked_index(const Expr& e) { return is_call(e, Function::checked_index); }

std::vector<Expr> index_checks(const Expr& e) {
  std::vector<Expr> checks;
  walk(e, [&](const Expr& node) {
    if (is_checked_index(node)) checks.push_back(node);
  });
  return checks;
}

// 0 * checked_index(i, n) is 0 by algebra, but an index out of range must still be reported.
bool loses_index_check(const Expr& before, const Expr& after) {
  const bool is_rule_about_checks =
      is_checked_index(before) ||
      (is_call(before, Function::select) && is_constant(before->args[0]));
  if (is_rule_about_checks) return false;
  const std::vector<Expr> kept = index_checks(after);
  return !std::ranges::all_of(index_checks(before), [&](const Expr& check) {
    return std::ranges::any_of(kept, [&](const Expr& other) { return same(check, other); });
  });
}

}  // namespace

std::optional<Interval> Simplifier::bounds(const Polynomial& p) {
  Interval sum = Interval::point(0);
  for (const Term& term : p.terms()) {
    std::optional<Interval> product = Interval::point(term.coefficient);
    for (const Expr& atom : term.atoms) {
      product = exact_product(*product, interval(atom));
      if (!product) return std::nullopt;
    }
    const auto low = checked_add(sum.low, product->low);
    const auto high = checked_add(sum.high, product->high);
    if (!low || !high) return std::nullopt;
    sum = {*low, *high};
  }
  return sum;
}

Polynomial Simplifier::polynomial(const Expr& e) const {
  if (is_constant(e)) return Polynomial::constant(e->integer);
  const auto known = polynomials_.find(e.get());
  return known != polynomials_.end() ? known->second.polynomial : Polynomial::atom(e);
}

Expr Simplifier::expression(const Polynomial& p) {
  Polynomial combined = recombine(*this, p);
  const Expr e = to_expr(combined);
  if (combined.single_atom() == nullptr) {
    polynomials_.try_emplace(e.get(), Entry{e, std::move(combined)});
  }
  return e;
}

Expr Simplifier::simplify(const Expr& e) {
  if (e->args.empty()) return only_value(e).value_or(e);
  has_checks_ = e->has_index_check != 0;
  Expr current = e;
  for (int round = 0; round < kMaxRounds; ++round) {
    const Expr next = transform(current, [this](const Expr& node) { return simplify_node(node); });
    if (next.get() == current.get()) break;
    current = next;
  }
  return current;
}

Expr Simplifier::simplify_node(const Expr& e) {
  const auto is_allowed = [&](const Expr& result) {
    return !has_checks_ || !loses_index_check(e, result);
  };
  Expr result = apply_rules(e);
  if (!is_allowed(result)) result = e;
  if (const std::optional<Expr> only = only_value(result); only && is_allowed(*only)) return *only;
  if (result.get() == e.get() || !same(result, e)) return result;
  // Nothing changed: the old node stays, so that the caller can see it did not. What is known of
  // the new one holds for it too.
  if (const auto known = polynomials_.find(result.get()); known != polynomials_.end()) {
    polynomials_.try_emplace(e.get(), Entry{e, known->second.polynomial});
  }
  return e;
}

// The constant that an expression is, if its interval is a point.
std::optional<Expr> Simplifier::only_value(const Expr& e) {
  if (e->type == Type::real || is_checked_index(e)) return std::nullopt;
  const Interval values = interval(e);
  if (!values.is_point()) return std::nullopt;
  return is_constant(e) ? e : cast(constant(values.low), e->type);
}

Expr Simplifier::apply_rules(const Expr& e) {
  switch (e->kind) {
    case Kind::constant:
    case Kind::symbol:
    case Kind::axis:
    case Kind::input:
    case Kind::param:
    case Kind::load: return e;
    case Kind::call: return apply_call_rules(e);
    case Kind::cast: return simplify_cast(*this, e);
  }
  return e;
}

Expr Simplifier::apply_call_rules(const Expr& e) {
  if (e->type == Type::real && e->function != Function::select) return simplify_real(e);
  switch (e->function) {
    case Function::neg:
    case Function::add:
    case Function::sub:
    case Function::mul:
    case Function::pow: return simplify_sum(*this, e);
    case Function::floor_div:
    case Function::mod: return simplify_division(*this, e);
    case Function::equal:
    case Function::not_equal:
    case Function::less:
    case Function::less_equal: return simplify_comparison(*this, e);
    case Function::min:
    case Function::max:
    case Function::logical_and:
    case Function::logical_or: return simplify_extremum(*this, e);
    case Function::abs: return simplify_abs(*this, e);
    case Function::logical_xor: return simplify_xor(e);
    case Function::logical_not: return simplify_not(*this, e);
    case Function::select: return simplify_select(*this, e);
    case Function::checked_index: return simplify_checked_index(*this, e);
    case Function::sign:
    case Function::is_nan:
    case Function::philox:
    case Function::shift_right:
    case Function::f16_value: return e;
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
    case Function::erf: return e;  // reals, which have their rules above
  }
  return e;
}

Expr simplify(const Expr& e, const AxisRanges& axes) {
  if (e->args.empty() && e->kind != Kind::axis && e->kind != Kind::symbol) return e;
  if (e->args.empty() || !RecentAnswers<Expr>::can_hold(e)) return Simplifier(axes).simplify(e);
  RecentAnswers<Expr>& recent = per_thread<RecentAnswers<Expr>>();
  RecentAnswers<Expr>::Context context;
  for (uint32_t left = e->axes; left != 0; left &= left - 1) {
    context.push_back(axes ? axes(std::countr_zero(left)) : Interval::all());
  }
  if (const Expr* known = recent.find(e, context)) return known->get() != nullptr ? *known : e;
  const Expr result = Simplifier(axes).simplify(e);
  // One that was simple comes back itself, not as another that is like it.
  recent.add(e, context, result.get() == e.get() ? Expr() : result);
  return result;
}

}  // namespace ridge::expr

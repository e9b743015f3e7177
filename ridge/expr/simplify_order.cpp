// Which of two integers is larger: comparisons, and the functions that depend on them.
#include <algorithm>
#include <limits>
#include <numeric>

#include "ridge/expr/integer.h"
#include "ridge/expr/polynomial.h"
#include "ridge/expr/simplifier.h"

namespace ridge::expr {
namespace {

constexpr size_t kMaxOperands = 16;  // of a flattened min, max, and, or: each meets each other

// The exact values of a - b; nothing if one of the three may not fit.
std::optional<Interval> difference(Simplifier& s, const Expr& a, const Expr& b) {
  if (a->type != Type::integer) return std::nullopt;
  const Polynomial x = s.polynomial(a);
  const Polynomial y = s.polynomial(b);
  if (!s.bounds(x) || !s.bounds(y)) return std::nullopt;
  const auto d = subtract(x, y);
  return d ? s.bounds(*d) : std::nullopt;
}

bool is_surely_less(Simplifier& s, const Expr& a, const Expr& b) {
  if (s.interval(a).high < s.interval(b).low) return true;
  const auto d = difference(s, a, b);
  return d && d->high < 0;
}

bool is_surely_less_equal(Simplifier& s, const Expr& a, const Expr& b) {
  if (s.interval(a).high <= s.interval(b).low) return true;
  const auto d = difference(s, a, b);
  if (d && d->high <= 0) return true;
  // x <= max(x, y) and min(x, y) <= x, also for booleans. Sums are sorted out above.
  const auto is_one_of = [](const Expr& operand, Expr extremum, Function on_numbers,
                            Function logic) {
    while (is_call(extremum, on_numbers) || is_call(extremum, logic)) {
      if (same(extremum->args[1], operand)) return true;
      extremum = Expr(extremum->args[0]);
    }
    return same(extremum, operand);
  };
  return is_one_of(a, b, Function::max, Function::logical_or) ||
         is_one_of(b, a, Function::min, Function::logical_and);
}

// The terms of d as two sides with positive coefficients, so that d = left - right. The constant
// goes where it is alone or positive: n < 5, i + 1 < n.
struct Sides {
  Polynomial left;
  Polynomial right;
};
std::optional<Sides> split_signs(const Polynomial& d) {
  std::vector<Term> left;
  std::vector<Term> right;
  for (const Term& term : d.terms()) {
    const auto opposite = checked_mul(term.coefficient, -1);
    if (!opposite) return std::nullopt;
    bool is_left = term.coefficient > 0;
    if (term.atoms.empty()) is_left = left.empty() || (is_left && !right.empty());
    (is_left ? left : right).push_back({is_left ? term.coefficient : *opposite, term.atoms});
  }
  return Sides{*Polynomial::from_terms(std::move(left)), *Polynomial::from_terms(std::move(right))};
}

// The greatest common divisor of all coefficients but the constant; 1 if there is a doubt.
int64_t content(const Polynomial& d) {
  int64_t result = 0;
  for (const Term& term : d.terms()) {
    if (term.coefficient == std::numeric_limits<int64_t>::min()) return 1;
    if (!term.atoms.empty()) result = std::gcd(result, term.coefficient);
  }
  return std::max<int64_t>(result, 1);
}

// Divides all coefficients; the constant, which alone may not be a multiple, is rounded down.
Polynomial divide_coefficients(const Polynomial& d, int64_t divisor) {
  std::vector<Term> terms = d.terms();
  for (Term& term : terms) term.coefficient = floor_divide(term.coefficient, divisor);
  return *Polynomial::from_terms(std::move(terms));
}

// g x + r < 0 exactly when x + r // g < 0, where the quotient is one and the same for all r: the terms of d that
// are no multiples of g. Of all coefficients the largest that can be g; nothing where none can.
std::optional<Polynomial> without_rest(Simplifier& s, const Polynomial& d) {
  std::optional<Polynomial> found;
  int64_t largest = 1;
  for (const Term& candidate : d.terms()) {
    if (candidate.atoms.empty() || candidate.coefficient == std::numeric_limits<int64_t>::min()) {
      continue;
    }
    const int64_t g = std::abs(candidate.coefficient);
    if (g <= largest) continue;
    std::vector<Term> multiples, rest;
    for (const Term& term : d.terms()) {
      (term.atoms.empty() || term.coefficient % g != 0 ? rest : multiples).push_back(term);
    }
    const auto bounds = s.bounds(*Polynomial::from_terms(std::move(rest)));
    if (!bounds || floor_divide(bounds->low, g) != floor_divide(bounds->high, g)) continue;
    multiples.push_back({floor_divide(bounds->low, g) * g, {}});
    found = Polynomial::from_terms(std::move(multiples));
    largest = g;
  }
  return found;
}

// a == b is a - b == 0, wrapped or not. Dividing by a common factor needs exact values.
Expr simplify_equality(Simplifier& s, const Expr& e) {
  const bool is_equal = e->function == Function::equal;
  std::optional<Polynomial> d = subtract(s.polynomial(e->args[0]), s.polynomial(e->args[1]));
  if (!d) return e;
  if (d->is_constant()) return constant((d->constant_term() == 0) == is_equal);
  if (const auto bounds = s.bounds(*d)) {
    const int64_t factor = content(*d);
    const bool has_no_solution = d->constant_term() % factor != 0;
    if (has_no_solution || !bounds->contains(0)) return constant(!is_equal);
    d = divide_coefficients(*d, factor);
  }
  if (d->terms()[0].coefficient < 0) d = scale(*d, -1);
  const auto sides = d ? split_signs(*d) : std::nullopt;
  if (!sides) return e;
  return call(e->function, {s.expression(sides->left), s.expression(sides->right)});
}

// d < 0, for exact values: g x + k < 0 exactly when x + k // g < 0.
std::optional<Expr> negative(Simplifier& s, const Polynomial& d) {
  const auto sides = split_signs(divide_coefficients(d, content(d)));
  if (!sides || !s.bounds(sides->left) || !s.bounds(sides->right)) return std::nullopt;
  return s.expression(sides->left) < s.expression(sides->right);
}

// a < b is a - b < 0 and a <= b is a - b - 1 < 0, if all of these are exact.
Expr simplify_inequality(Simplifier& s, const Expr& e) {
  if (!difference(s, e->args[0], e->args[1])) {
    if (!same(e->args[0], e->args[1])) return e;
    return constant(e->function == Function::less_equal);
  }
  const int64_t shift = e->function == Function::less_equal ? 1 : 0;
  std::optional<Polynomial> d = subtract(s.polynomial(e->args[0]), s.polynomial(e->args[1]));
  d = subtract(*d, Polynomial::constant(shift));
  const auto bounds = d ? s.bounds(*d) : std::nullopt;
  if (!bounds) return e;
  if (bounds->high < 0) return constant(true);
  if (bounds->low >= 0) return constant(false);
  return negative(s, *d).value_or(e);
}

Expr simplify_boolean_equality(const Expr& e) {
  const bool is_equal = e->function == Function::equal;
  Expr a = e->args[0];
  Expr b = e->args[1];
  if (same(a, b)) return constant(is_equal);
  if (compare(b, a) < 0) std::swap(a, b);  // constants come first in the order
  if (is_constant(a)) return is_constant(a, is_equal ? 1 : 0) ? b : !b;
  return call(e->function, {a, b});
}

}  // namespace

Expr without_rests(const Expr& e, const AxisRanges& axes) {
  Simplifier s(axes);
  bool has_rests = false;
  const Expr result = transform(s.simplify(e), [&](const Expr& node) -> Expr {
    if (!is_call(node, Function::less) || !difference(s, node->args[0], node->args[1])) return node;
    const auto d = subtract(s.polynomial(node->args[0]), s.polynomial(node->args[1]));
    const auto rounded = d ? without_rest(s, *d) : std::nullopt;
    const auto shorter = rounded ? negative(s, *rounded) : std::nullopt;
    has_rests |= shorter.has_value();
    return shorter.value_or(node);
  });
  return has_rests || is_constant(result) ? result : e;
}

Expr simplify_comparison(Simplifier& s, const Expr& e) {
  const bool is_equality = e->function == Function::equal || e->function == Function::not_equal;
  switch (e->args[0]->type) {
    case Type::boolean: return is_equality ? simplify_boolean_equality(e) : e;
    case Type::integer: return is_equality ? simplify_equality(s, e) : simplify_inequality(s, e);
    case Type::real: return e;
  }
  return e;
}

// min, max, and their counterparts on booleans: flat, sorted, and without the operands that
// another one makes irrelevant.
Expr simplify_extremum(Simplifier& s, const Expr& e) {
  const bool takes_least = e->function == Function::min || e->function == Function::logical_and;
  std::vector<Expr> operands;
  std::vector<Expr> open = {e->args[1], e->args[0]};
  while (!open.empty()) {
    const Expr next = open.back();
    open.pop_back();
    if (is_call(next, e->function)) {
      open.push_back(next->args[1]);
      open.push_back(next->args[0]);
    } else {
      operands.push_back(next);
    }
    if (operands.size() + open.size() > kMaxOperands) return e;
  }
  std::ranges::sort(operands, [](const Expr& a, const Expr& b) { return compare(a, b) < 0; });
  std::vector<Expr> kept;
  for (const Expr& operand : operands) {
    const auto makes_irrelevant = [&](const Expr& winner, const Expr& loser) {
      return takes_least ? is_surely_less_equal(s, winner, loser)
                         : is_surely_less_equal(s, loser, winner);
    };
    const auto loses = [&](const Expr& other) { return makes_irrelevant(other, operand); };
    if (std::ranges::any_of(kept, loses)) continue;
    std::erase_if(kept, [&](const Expr& other) { return makes_irrelevant(operand, other); });
    kept.push_back(operand);
  }
  Expr result = kept[0];
  for (size_t i = 1; i < kept.size(); ++i) result = call(e->function, {result, kept[i]});
  return result;
}

Expr simplify_abs(Simplifier& s, const Expr& e) {
  const Interval values = s.interval(e->args[0]);
  if (values.low >= 0) return e->args[0];
  const auto negated = scale(s.polynomial(e->args[0]), -1);
  if (!negated) return e;
  if (values.high <= 0) return s.expression(*negated);  // at INT64_MIN both wrap to it
  // Of x and -x, the one that starts with a positive coefficient.
  return negated->terms()[0].coefficient < 0 ? e : abs(s.expression(*negated));
}

Expr simplify_checked_index(Simplifier& s, const Expr& e) {
  const Expr& index = e->args[0];
  const bool is_in_range = s.interval(index).low >= 0 && is_surely_less(s, index, e->args[1]);
  return is_in_range ? index : e;
}

}  // namespace ridge::expr

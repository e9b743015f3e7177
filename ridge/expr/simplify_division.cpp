// floor_div and mod of integers. Quotient and remainder come out together, because every rule
// splits both the same way.
//
// The rules are about exact integers. They apply to a dividend with `bounds`, whose exact value
// is its value; the results are again sums whose exact values fit, as they are no larger.
#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include "ridge/expr/integer.h"
#include "ridge/expr/simplifier.h"

namespace ridge::expr {
namespace {

// a // c and a % c as they stand: what is left when no rule applies.
Division opaque(Simplifier& s, const Polynomial& a, const Expr& divisor) {
  const Expr dividend = s.expression(a);
  const auto result = [&](Function function) {
    const Expr e = call(function, {dividend, divisor});
    return is_constant(e) ? Polynomial::constant(e->integer) : Polynomial::atom(e);
  };
  return {result(Function::floor_div), result(Function::mod)};
}

Division divide_by_constant(Simplifier& s, const Polynomial& a, int64_t c);

// The whole of `a` lies between two neighboring multiples k c and (k + 1) c.
std::optional<Division> within_one_period(Simplifier& s, const Polynomial& a, int64_t c) {
  const Interval bounds = *s.bounds(a);
  const int64_t k = floor_divide(bounds.low, c);
  if (k != floor_divide(bounds.high, c)) return std::nullopt;
  const auto start = checked_mul(k, c);
  const auto remainder = start ? subtract(a, Polynomial::constant(*start)) : std::nullopt;
  if (!remainder) return std::nullopt;
  return Division{Polynomial::constant(k), *remainder};
}

// (c x + r) // c = x + r // c          (c x + r) % c = r % c
// Coefficients are split towards zero, the constant downwards: r keeps the signs of `a`, and its
// constant is in [0, c), so that (n - 1) // 2 + 1 and (n + 1) // 2 come out alike.
std::optional<Division> take_out_multiples(Simplifier& s, const Polynomial& a, int64_t c) {
  std::vector<Term> multiples;
  std::vector<Term> rest;
  for (const Term& term : a.terms()) {
    const int64_t k = term.coefficient;
    const int64_t quotient = term.atoms.empty() ? floor_divide(k, c) : k / c;
    const int64_t remainder = term.atoms.empty() ? floor_modulo(k, c) : k % c;
    if (quotient != 0) multiples.push_back({quotient, term.atoms});
    if (remainder != 0) rest.push_back({remainder, term.atoms});
  }
  if (multiples.empty()) return std::nullopt;
  const auto x = Polynomial::from_terms(std::move(multiples));
  const auto r = Polynomial::from_terms(std::move(rest));
  if (!s.bounds(*r)) return std::nullopt;
  Division inner = divide_by_constant(s, *r, c);
  const auto quotient = add(*x, inner.quotient);
  if (!quotient) return std::nullopt;
  return Division{*quotient, std::move(inner.remainder)};
}

// (g x + y) // (g d) = x // d          (g x + y) % (g d) = g (x % d) + y       if 0 <= y < g
std::optional<Division> divide_common_factor(Simplifier& s, const Polynomial& a, int64_t c,
                                             int64_t g) {
  std::vector<Term> x;
  std::vector<Term> y;
  for (const Term& term : a.terms()) {
    const int64_t k = term.coefficient;
    if (term.atoms.empty()) {
      x.push_back({floor_divide(k, g), {}});
      y.push_back({floor_modulo(k, g), {}});
    } else if (k % g == 0) {
      x.push_back({k / g, term.atoms});
    } else {
      y.push_back(term);
    }
  }
  const auto small = Polynomial::from_terms(std::move(y));
  const auto bounds = s.bounds(*small);
  if (!bounds || floor_divide(bounds->low, g) != floor_divide(bounds->high, g)) return {};
  const int64_t shift = floor_divide(bounds->low, g);  // y may lie in another period than [0, g)
  const auto start = checked_mul(shift, g);
  const auto large = add(*Polynomial::from_terms(std::move(x)), Polynomial::constant(shift));
  const auto offset = start ? subtract(*small, Polynomial::constant(*start)) : std::nullopt;
  if (!large || !offset) return std::nullopt;
  Division inner = divide_by_constant(s, *large, c / g);
  const auto scaled = scale(inner.remainder, g);
  const auto remainder = scaled ? add(*scaled, *offset) : std::nullopt;
  if (!remainder) return std::nullopt;
  return Division{std::move(inner.quotient), *remainder};
}

std::optional<Division> take_out_factor(Simplifier& s, const Polynomial& a, int64_t c) {
  std::vector<int64_t> factors;
  for (const Term& term : a.terms()) {
    const bool has_size = term.coefficient != std::numeric_limits<int64_t>::min();
    if (!term.atoms.empty() && has_size) factors.push_back(std::gcd(term.coefficient, c));
  }
  std::ranges::sort(factors, std::greater<>());
  factors.erase(std::ranges::unique(factors).begin(), factors.end());
  for (const int64_t g : factors) {
    if (g == 1 || g == c) continue;
    if (auto result = divide_common_factor(s, a, c, g)) return result;
  }
  return std::nullopt;
}

// (x // b + k) // c = (x + k b) // (b c)
std::optional<Division> join_nested_division(Simplifier& s, const Polynomial& a, int64_t c) {
  const int64_t k = a.constant_term();
  const auto rest = subtract(a, Polynomial::constant(k));
  const Expr* inner = rest ? rest->single_atom() : nullptr;
  if (inner == nullptr || !is_call(*inner, Function::floor_div)) return std::nullopt;
  const Expr& b = (*inner)->args[1];
  if (!is_constant(b) || b->integer <= 0) return std::nullopt;
  const auto divisor = checked_mul(b->integer, c);
  const auto shift = checked_mul(k, b->integer);
  if (!divisor || !shift) return std::nullopt;
  const auto dividend = add(s.polynomial((*inner)->args[0]), Polynomial::constant(*shift));
  if (!dividend || (*shift != 0 && !s.bounds(*dividend))) return std::nullopt;
  return Division{divide_by_constant(s, *dividend, *divisor).quotient,
                  opaque(s, a, constant(c)).remainder};
}

// (x % (c d)) // c = (x // c) % d          (x % (c d)) % c = x % c
std::optional<Division> open_nested_remainder(Simplifier& s, const Polynomial& a, int64_t c) {
  const Expr* inner = a.single_atom();
  if (inner == nullptr || !is_call(*inner, Function::mod)) return std::nullopt;
  const Expr& period = (*inner)->args[1];
  if (!is_constant(period) || period->integer <= 0 || period->integer % c != 0) return {};
  Division outer = divide_by_constant(s, s.polynomial((*inner)->args[0]), c);
  Division digit = divide_by_constant(s, outer.quotient, period->integer / c);
  return Division{std::move(digit.remainder), std::move(outer.remainder)};
}

// (k (x % m) + y) % c = (k x + y) % c      if c divides k m
std::optional<Division> drop_inner_remainder(Simplifier& s, const Polynomial& a, int64_t c) {
  for (const Term& term : a.terms()) {
    if (term.atoms.size() != 1 || !is_call(term.atoms[0], Function::mod)) continue;
    const Expr& period = term.atoms[0]->args[1];
    if (!is_constant(period) || period->integer <= 0) continue;
    const auto product = checked_mul(term.coefficient, period->integer);
    if (!product || *product % c != 0) continue;
    const auto inner = scale(s.polynomial(term.atoms[0]->args[0]), term.coefficient);
    const auto rest = subtract(a, *Polynomial::from_terms({term}));
    const auto sum = inner && rest ? add(*inner, *rest) : std::nullopt;
    if (!sum || !s.bounds(*sum)) continue;
    return Division{opaque(s, a, constant(c)).quotient, divide_by_constant(s, *sum, c).remainder};
  }
  return std::nullopt;
}

// -x // c = -((x + c - 1) // c)          -x % c = c - 1 - (x + c - 1) % c
// A sum that starts with a minus is turned around, so that a division rounded up has one spelling.
std::optional<Division> turn_around(Simplifier& s, const Polynomial& a, int64_t c) {
  const auto leading =
      std::ranges::find_if(a.terms(), [](const Term& t) { return !t.atoms.empty(); });
  if (leading == a.terms().end() || leading->coefficient > 0) return std::nullopt;
  const auto negated = scale(a, -1);
  const auto rounded_up = negated ? add(*negated, Polynomial::constant(c - 1)) : std::nullopt;
  if (!rounded_up || !s.bounds(*rounded_up)) return std::nullopt;
  const Division inner = divide_by_constant(s, *rounded_up, c);
  const auto quotient = scale(inner.quotient, -1);
  const auto remainder = subtract(Polynomial::constant(c - 1), inner.remainder);
  if (!quotient || !remainder) return std::nullopt;
  return Division{*quotient, *remainder};
}

using Rule = std::optional<Division> (*)(Simplifier&, const Polynomial&, int64_t);
constexpr std::array<Rule, 7> kRules = {
    within_one_period,     take_out_multiples,   take_out_factor, join_nested_division,
    open_nested_remainder, drop_inner_remainder, turn_around};

Division divide_by_constant(Simplifier& s, const Polynomial& a, int64_t c) {
  if (c == 1) return {a, Polynomial()};
  if (c > 0 && s.bounds(a)) {
    for (const Rule rule : kRules) {
      if (auto result = rule(s, a, c)) return *result;
    }
  }
  // a // -c = -a // c          a % -c = -(-a % c)
  if (c < 0 && c != std::numeric_limits<int64_t>::min()) {
    const auto negated = scale(a, -1);
    if (s.bounds(a) && negated && s.bounds(*negated)) {
      Division positive = divide_by_constant(s, *negated, -c);
      if (const auto remainder = scale(positive.remainder, -1)) {
        return {std::move(positive.quotient), *remainder};
      }
    }
  }
  return opaque(s, a, constant(c));
}

// (b x + r) // b = x + r // b, and r // b = 0 if 0 <= r < b, for a product b > 0.
Division divide_by_product(Simplifier& s, const Polynomial& a, const Expr& divisor) {
  const Polynomial b = s.polynomial(divisor);
  const Term* factor = b.single();
  const Interval values = s.interval(divisor);
  const auto bounds = s.bounds(a);
  const bool is_positive = values.low > 0 && factor != nullptr && factor->coefficient > 0;
  if (!is_positive || !s.bounds(b) || !bounds) return opaque(s, a, divisor);
  if (bounds->low >= 0 && bounds->high < values.low) return {Polynomial(), a};
  std::vector<Term> multiples;
  std::vector<Term> rest;
  for (const Term& term : a.terms()) {
    const auto atoms = remove(term.atoms, factor->atoms);
    if (atoms && term.coefficient % factor->coefficient == 0) {
      multiples.push_back({term.coefficient / factor->coefficient, *atoms});
    } else {
      rest.push_back(term);
    }
  }
  const auto x = Polynomial::from_terms(std::move(multiples));
  const auto r = Polynomial::from_terms(std::move(rest));
  if (x->is_zero() || !s.bounds(*r)) return opaque(s, a, divisor);
  Division inner = divide_by_product(s, *r, divisor);
  const auto quotient = add(*x, inner.quotient);
  if (!quotient) return opaque(s, a, divisor);
  return {*quotient, std::move(inner.remainder)};
}

}  // namespace

Division divide(Simplifier& s, const Polynomial& a, const Expr& divisor) {
  if (!is_constant(divisor)) return divide_by_product(s, a, divisor);
  return divide_by_constant(s, a, divisor->integer);
}

Expr simplify_division(Simplifier& s, const Expr& e) {
  const Division result = divide(s, s.polynomial(e->args[0]), e->args[1]);
  return s.expression(e->function == Function::floor_div ? result.quotient : result.remainder);
}

}  // namespace ridge::expr

// Sums and products of integers: into canonical form, and quotients joined with their remainders.
#include "ridge/expr/integer.h"
#include "ridge/expr/simplifier.h"

namespace ridge::expr {
namespace {

constexpr int64_t kMaxExpandedPower = 8;

std::optional<Polynomial> power(const Polynomial& base, const Expr& exponent) {
  if (!is_constant(exponent)) return std::nullopt;
  if (exponent->integer < 0 || exponent->integer > kMaxExpandedPower) return std::nullopt;
  std::optional<Polynomial> result = Polynomial::constant(1);
  for (int64_t i = 0; i < exponent->integer && result; ++i) result = multiply(*result, base);
  return result;
}

std::optional<Polynomial> combine(const Simplifier& s, const Expr& e) {
  const Polynomial a = s.polynomial(e->args[0]);
  if (e->function == Function::neg) return scale(a, -1);
  if (e->function == Function::pow) return power(a, e->args[1]);
  const Polynomial b = s.polynomial(e->args[1]);
  if (e->function == Function::add) return add(a, b);
  if (e->function == Function::sub) return subtract(a, b);
  return multiply(a, b);
}

Polynomial term_polynomial(int64_t coefficient, Atoms atoms) {
  return Polynomial::from_terms({{coefficient, std::move(atoms)}}).value_or(Polynomial());
}

// p - taken + factor * given; nothing if it overflows.
std::optional<Polynomial> exchange(const Polynomial& p, const Polynomial& taken,
                                   const Polynomial& factor, const Polynomial& given) {
  const auto rest = subtract(p, taken);
  const auto scaled = multiply(factor, given);
  return rest && scaled ? add(*rest, *scaled) : std::nullopt;
}

// In the rules below, term = k * rest * y % c (or y // c), and `factor` = k * rest.
struct Site {
  const Term& term;
  Expr division;  // the atom y % c or y // c
  Polynomial y;
  Polynomial c;
  Polynomial quotient;  // y // c
  Polynomial factor;
};

// k y % c + k c (y // c)  ->  k y
std::optional<Polynomial> join_quotient(const Polynomial& p, const Site& site) {
  const auto divisor = multiply(site.factor, site.c);
  const auto partner = divisor ? multiply(*divisor, site.quotient) : std::nullopt;
  if (!partner || partner->single() == nullptr) return std::nullopt;
  if (p.coefficient_of(partner->single()->atoms) != partner->single()->coefficient) return {};
  const auto taken = add(*partner, term_polynomial(site.term.coefficient, site.term.atoms));
  return taken ? exchange(p, *taken, site.factor, site.y) : std::nullopt;
}

// k y % c + k c ((y // c) % b)  ->  k (y % (c b))      for constants c > 1, b > 0
std::optional<Polynomial> join_digits(Simplifier& s, const Polynomial& p, const Site& site) {
  if (!site.c.is_constant() || site.c.constant_term() <= 1) return std::nullopt;
  const Expr quotient = s.expression(site.quotient);
  for (const Term& other : p.terms()) {
    for (const Expr& digit : other.atoms) {
      if (!is_call(digit, Function::mod) || !is_constant(digit->args[1])) continue;
      if (digit->args[1]->integer <= 0 || !same(digit->args[0], quotient)) continue;
      const auto coefficient = checked_mul(site.term.coefficient, site.c.constant_term());
      const auto base = checked_mul(site.c.constant_term(), digit->args[1]->integer);
      if (coefficient != other.coefficient || !base) continue;
      const auto rest = remove(other.atoms, {digit});
      const auto site_rest = remove(site.term.atoms, {site.division});
      if (!is_same(*rest, *site_rest)) continue;
      const auto taken = add(term_polynomial(other.coefficient, other.atoms),
                             term_polynomial(site.term.coefficient, site.term.atoms));
      if (!taken) continue;
      return exchange(p, *taken, site.factor, divide(s, site.y, constant(*base)).remainder);
    }
  }
  return std::nullopt;
}

// k y - k c (y // c)  ->  k (y % c)      for a constant c
std::optional<Polynomial> form_remainder(Simplifier& s, const Polynomial& p, const Site& site) {
  const int64_t c = site.c.constant_term();
  if (!site.c.is_constant() || site.term.atoms.size() != 1 || c == -1) return std::nullopt;
  if (site.term.coefficient % c != 0) return std::nullopt;
  const auto k = checked_mul(site.term.coefficient / c, -1);
  const auto dividend = k ? scale(site.y, *k) : std::nullopt;
  if (!dividend) return std::nullopt;
  for (const Term& term : dividend->terms()) {
    if (!term.atoms.empty() && p.coefficient_of(term.atoms) != term.coefficient) return {};
  }
  const auto taken = add(*dividend, term_polynomial(site.term.coefficient, site.term.atoms));
  if (!taken) return std::nullopt;
  const Expr divisor = site.division->args[1];
  return exchange(p, *taken, Polynomial::constant(*k), divide(s, site.y, divisor).remainder);
}

std::optional<Polynomial> recombine_once(Simplifier& s, const Polynomial& p) {
  if (p.terms().size() < 2) return std::nullopt;
  for (const Term& term : p.terms()) {
    for (const Expr& atom : term.atoms) {
      const bool is_remainder = is_call(atom, Function::mod);
      if (!is_remainder && !is_call(atom, Function::floor_div)) continue;
      if (s.interval(atom->args[1]).contains(0)) continue;
      const Polynomial y = s.polynomial(atom->args[0]);
      const Site site = {term,
                         atom,
                         y,
                         s.polynomial(atom->args[1]),
                         divide(s, y, atom->args[1]).quotient,
                         term_polynomial(term.coefficient, *remove(term.atoms, {atom}))};
      std::optional<Polynomial> joined;
      if (is_remainder) joined = join_quotient(p, site);
      if (is_remainder && !joined) joined = join_digits(s, p, site);
      if (!is_remainder) joined = form_remainder(s, p, site);
      if (joined) return joined;
    }
  }
  return std::nullopt;
}

}  // namespace

Polynomial recombine(Simplifier& s, Polynomial p) {
  // Each step leaves fewer quotients and remainders than there were.
  while (auto next = recombine_once(s, p)) p = std::move(*next);
  return p;
}

Expr simplify_sum(Simplifier& s, const Expr& e) {
  const std::optional<Polynomial> sum = combine(s, e);
  return sum ? s.expression(*sum) : e;
}

}  // namespace ridge::expr

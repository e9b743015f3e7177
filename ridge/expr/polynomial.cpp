#include "ridge/expr/polynomial.h"

#include <algorithm>
#include <iterator>
#include <limits>

#include "ridge/expr/integer.h"

namespace ridge::expr {
namespace {

bool precedes(const Expr& a, const Expr& b) { return compare(a, b) < 0; }

// By atoms from the left; of two where one begins the other, the longer comes first. So n * m
// stands before n, and n before the constant.
std::strong_ordering compare_atoms(const Atoms& a, const Atoms& b) {
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (const auto order = compare(a[i], b[i]); order != 0) return order;
  }
  return b.size() <=> a.size();
}

Expr product(int64_t coefficient, const Atoms& atoms) {
  Expr result = coefficient == 1 && !atoms.empty() ? Expr() : constant(coefficient);
  for (const Expr& atom : atoms) result = result.get() == nullptr ? atom : result * atom;
  return result;
}

}  // namespace

Polynomial Polynomial::constant(int64_t value) {
  Polynomial result;
  if (value != 0) result.terms_.push_back({value, {}});
  return result;
}

Polynomial Polynomial::atom(Expr e) {
  Polynomial result;
  result.terms_.push_back({1, {std::move(e)}});
  return result;
}

std::optional<Polynomial> Polynomial::from_terms(std::vector<Term> terms) {
  std::ranges::sort(
      terms, [](const Term& a, const Term& b) { return compare_atoms(a.atoms, b.atoms) < 0; });
  Polynomial result;
  for (Term& term : terms) {
    if (!result.is_zero() && expr::is_same(result.terms_.back().atoms, term.atoms)) {
      const auto sum = checked_add(result.terms_.back().coefficient, term.coefficient);
      if (!sum) return std::nullopt;
      result.terms_.back().coefficient = *sum;
    } else {
      result.terms_.push_back(std::move(term));
    }
    if (result.terms_.back().coefficient == 0) result.terms_.pop_back();
  }
  if (result.terms_.size() > kMaxTerms) return std::nullopt;
  return result;
}

int64_t Polynomial::constant_term() const {
  return terms_.empty() || !terms_.back().atoms.empty() ? 0 : terms_.back().coefficient;
}

const Expr* Polynomial::single_atom() const {
  const Term* term = single();
  const bool is_atom = term != nullptr && term->coefficient == 1 && term->atoms.size() == 1;
  return is_atom ? &term->atoms[0] : nullptr;
}

int64_t Polynomial::coefficient_of(const Atoms& atoms) const {
  for (const Term& term : terms_) {
    if (expr::is_same(term.atoms, atoms)) return term.coefficient;
  }
  return 0;
}

std::optional<Polynomial> add(const Polynomial& a, const Polynomial& b) {
  std::vector<Term> terms = a.terms();
  terms.insert(terms.end(), b.terms().begin(), b.terms().end());
  return Polynomial::from_terms(std::move(terms));
}

std::optional<Polynomial> scale(const Polynomial& a, int64_t factor) {
  return multiply(a, Polynomial::constant(factor));
}

std::optional<Polynomial> subtract(const Polynomial& a, const Polynomial& b) {
  const auto negated = scale(b, -1);
  return negated ? add(a, *negated) : std::nullopt;
}

std::optional<Polynomial> multiply(const Polynomial& a, const Polynomial& b) {
  std::vector<Term> terms;
  for (const Term& x : a.terms()) {
    for (const Term& y : b.terms()) {
      const auto coefficient = checked_mul(x.coefficient, y.coefficient);
      const size_t degree = x.atoms.size() + y.atoms.size();
      if (!coefficient || degree > Polynomial::kMaxAtoms) return std::nullopt;
      terms.push_back({*coefficient, merge(x.atoms, y.atoms)});
    }
  }
  return Polynomial::from_terms(std::move(terms));
}

bool is_same(const Atoms& a, const Atoms& b) {
  return std::ranges::equal(a, b, [](const Expr& x, const Expr& y) { return same(x, y); });
}

Atoms merge(const Atoms& a, const Atoms& b) {
  Atoms result;
  std::ranges::merge(a, b, std::back_inserter(result), precedes);
  return result;
}

std::optional<Atoms> remove(const Atoms& all, const Atoms& part) {
  Atoms result = all;
  for (const Expr& atom : part) {
    const auto found =
        std::ranges::find_if(result, [&](const Expr& candidate) { return same(candidate, atom); });
    if (found == result.end()) return std::nullopt;
    result.erase(found);
  }
  return result;
}

Expr to_expr(const Polynomial& polynomial) {
  Expr sum;
  for (const Term& term : polynomial.terms()) {
    const int64_t coefficient = term.coefficient;
    const bool has_opposite = coefficient != std::numeric_limits<int64_t>::min();
    if (sum.get() == nullptr) {
      const bool is_negated = coefficient == -1 && !term.atoms.empty();
      sum = is_negated ? -product(1, term.atoms) : product(coefficient, term.atoms);
    } else if (coefficient < 0 && has_opposite) {
      sum = std::move(sum) - product(-coefficient, term.atoms);
    } else {
      sum = std::move(sum) + product(coefficient, term.atoms);
    }
  }
  return sum.get() == nullptr ? constant(int64_t{0}) : sum;
}

}  // namespace ridge::expr

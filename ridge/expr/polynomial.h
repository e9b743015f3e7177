// An integer expression as a sum of products: the canonical form behind `simplify`.
//
// A term is a coefficient and a sorted list of atoms, where an atom is any expression that is not
// itself a sum or product. Terms are sorted too, no two have the same atoms, and no
// coefficient is zero; the constant is the term without atoms and comes last.
//
//   3 * n * i0 + 2 * i1 - 5     ->   {3, [n, i0]}  {2, [i1]}  {-5, []}
//
// Integer arithmetic wraps, which keeps all ring identities exact. Operations still refuse a
// coefficient that overflows, so that intervals of the terms stay valid, and a result of
// too many terms or atoms, so that products of sums cannot explode.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

#include "ridge/base/small_vector.h"
#include "ridge/expr/expr.h"

namespace ridge::expr {

using Atoms = SmallVector<Expr, 2>;

struct Term {
  int64_t coefficient;
  Atoms atoms;
};

class Polynomial {
 public:
  static constexpr size_t kMaxTerms = 64;
  static constexpr size_t kMaxAtoms = 16;  // of one term

  Polynomial() = default;  // zero
  static Polynomial constant(int64_t value);
  static Polynomial atom(Expr e);
  // From terms in any order, with repeats, each with sorted atoms.
  static std::optional<Polynomial> from_terms(std::vector<Term> terms);

  const std::vector<Term>& terms() const { return terms_; }
  bool is_zero() const { return terms_.empty(); }
  bool is_constant() const { return terms_.empty() || terms_[0].atoms.empty(); }
  int64_t constant_term() const;
  // The one term, if there is exactly one.
  const Term* single() const { return terms_.size() == 1 ? &terms_[0] : nullptr; }
  // The expression e, if this is 1 * e for an atom e.
  const Expr* single_atom() const;
  // The coefficient of these atoms, 0 if there is no such term.
  int64_t coefficient_of(const Atoms& atoms) const;

 private:
  std::vector<Term> terms_;
};

std::optional<Polynomial> add(const Polynomial& a, const Polynomial& b);
std::optional<Polynomial> scale(const Polynomial& a, int64_t factor);
std::optional<Polynomial> subtract(const Polynomial& a, const Polynomial& b);
std::optional<Polynomial> multiply(const Polynomial& a, const Polynomial& b);

bool is_same(const Atoms& a, const Atoms& b);
Atoms merge(const Atoms& a, const Atoms& b);
// The atoms of `all` without those of `part`; nothing if some are missing.
std::optional<Atoms> remove(const Atoms& all, const Atoms& part);

// Reads as one would write it: 2 * n * i0 + i1 - 3.
Expr to_expr(const Polynomial& polynomial);

// A total order of expressions by structure.
//
// It puts the terms of a canonical sum in one place. It depends on kinds, indices, values and
// symbol names only, never on addresses, so two runs of a program order alike.

// By kind first (constant, symbol, axis, ...), then by what the node holds, then by arguments.
// Equal exactly when `same`.
std::strong_ordering compare(const Expr& a, const Expr& b);

}  // namespace ridge::expr

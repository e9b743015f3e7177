// The state of one simplification, and the rules it applies, one file for each theme.
//
// Rules see a node whose arguments are simplified already and return what it simplifies to, or the
// node itself. They may use algebra freely, because it is exact even where integers wrap. Rules
// about order and division are not, and ask `bounds` for proof that nothing can have wrapped.
#pragma once

#include <optional>
#include <unordered_map>

#include "ridge/expr/expr.h"
#include "ridge/expr/interval.h"
#include "ridge/expr/polynomial.h"

namespace ridge::expr {

// Intervals of many expressions under the same axis ranges, each computed once.

class IntervalCache {
 public:
  explicit IntervalCache(AxisRanges axes) : axes_(std::move(axes)) {}

  Interval of(const Expr& e);

 private:
  struct Entry {
    Expr e;  // keeps the node alive, so that its address stays its own
    Interval interval;
  };
  Interval from_args(const Node& node) const;
  Interval of_arg(const Node& node, size_t i) const {
    return known_.at(node.args[i].get()).interval;
  }
  Interval of_call(const Node& node) const;

  AxisRanges axes_;
  std::unordered_map<const Node*, Entry> known_;
};

class Simplifier {
 public:
  explicit Simplifier(const AxisRanges& axes) : intervals_(axes) {}

  Expr simplify(const Expr& e);

  Interval interval(const Expr& e) { return intervals_.of(e); }

  // The values of the sum in exact arithmetic, or nothing if it may not fit into 64 bits. Where
  // there are bounds, the value that the wrapping expression takes is the exact one.
  std::optional<Interval> bounds(const Polynomial& p);

  // The sum of products that a simplified integer expression is; a single atom for all others.
  Polynomial polynomial(const Expr& e) const;
  Expr expression(const Polynomial& p);

 private:
  Expr simplify_node(const Expr& e);
  std::optional<Expr> only_value(const Expr& e);
  Expr apply_rules(const Expr& e);
  Expr apply_call_rules(const Expr& e);

  struct Entry {
    Expr e;  // keeps the node alive, so that its address stays its own
    Polynomial polynomial;
  };
  IntervalCache intervals_;
  std::unordered_map<const Node*, Entry> polynomials_;
  bool has_checks_ = false;  // whether there is any checked_index to be kept
};

// simplify_sum.cpp: neg, add, sub, mul and pow of integers.
Expr simplify_sum(Simplifier& s, const Expr& e);
// Puts quotient and remainder together again: 4 * (x // 4) + x % 4 is x.
Polynomial recombine(Simplifier& s, Polynomial p);

// simplify_division.cpp: floor_div and mod of integers.
Expr simplify_division(Simplifier& s, const Expr& e);
struct Division {
  Polynomial quotient;
  Polynomial remainder;
};
Division divide(Simplifier& s, const Polynomial& a, const Expr& divisor);

// simplify_order.cpp: comparisons, min, max, logical and, or; abs; checked_index.
Expr simplify_comparison(Simplifier& s, const Expr& e);
Expr simplify_extremum(Simplifier& s, const Expr& e);
Expr simplify_abs(Simplifier& s, const Expr& e);
Expr simplify_checked_index(Simplifier& s, const Expr& e);

// simplify_logic.cpp
Expr simplify_xor(const Expr& e);
Expr simplify_not(Simplifier& s, const Expr& e);
Expr simplify_select(Simplifier& s, const Expr& e);
Expr simplify_cast(Simplifier& s, const Expr& e);

// simplify_real.cpp: functions of reals.
Expr simplify_real(const Expr& e);

}  // namespace ridge::expr

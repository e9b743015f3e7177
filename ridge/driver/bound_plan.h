// A plan with numbers in the place of its symbols: all that a run has to know of sizes.
//
//   const PlanBinder binder(plan, symbols);
//   const BoundPlan bound = binder.bind(values);      values of the symbols, in order
//
// A plan without symbols is bound once, with no values. Binding evaluates each size that kernels and
// results need, and lays out the arena for them.
#pragma once

#include <span>
#include <vector>

#include "ridge/driver/arena.h"
#include "ridge/expr/formula.h"
#include "ridge/schedule/plan.h"

namespace ridge::driver {

struct BoundPlan {
  std::vector<Shape> shapes;                // by buffer of the plan
  std::vector<std::vector<int64_t>> sizes;  // by call: the params of its kernel
  std::vector<ArenaPlace> places;
  int64_t arena_bytes = 0;
  int64_t bytes = 0;  // that all calls together move
};

class PlanBinder {
 public:
  // The plan must outlive it. The symbols are all that occur in it.
  PlanBinder(const schedule::Plan& plan, const expr::Symbols& symbols);

  BoundPlan bind(std::span<const int64_t> values) const;

 private:
  // A size of the plan: a number, or a formula by its position.
  struct Term {
    int64_t number = 0;
    int formula = -1;
  };
  Term term_of(const expr::Expr& e, const expr::Symbols& symbols);
  static int64_t value_of(const Term& term, std::span<const int64_t> results) {
    return term.formula < 0 ? term.number : results[static_cast<size_t>(term.formula)];
  }

  const schedule::Plan& plan_;
  std::vector<expr::Expr> expressions_;  // of the formulas: each is evaluated once
  std::vector<expr::Formula> formulas_;
  std::vector<std::vector<Term>> shapes_, sizes_;
  std::vector<Term> bytes_;
};

}  // namespace ridge::driver

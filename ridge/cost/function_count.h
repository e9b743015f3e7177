// Counts the functions of a value, with what is known of it that makes them cheaper.
#pragma once

#include <functional>

#include "ridge/cost/nest.h"
#include "ridge/expr/real_range.h"

namespace ridge::cost {

// What is known of a value and of those it is computed from. Without answers, nothing is.
struct ValueFacts {
  // Errors of 16 bits are good enough for the result, and even for what goes into an exponent.
  bool is_short = false, is_all_short = false;
  bool has_plain_exponents = false;  // loop/exponent.h
  std::function<expr::RealRange(int input)> range_of{};
  std::function<bool(int input)> is_total{};  // combined over threads: the same for a whole row
  std::function<bool(const expr::Expr& call)> is_at_hand{};  // computed before, and kept
  std::function<bool(int input)> is_product{};  // of the same block, and only used here
};

using OnLoad = std::function<void(const expr::Expr& load)>;

// The functions of `e`, each node once; `on_load` gets each load. The arithmetic of an index is left
// out, unless it looks something up.
Operations count_functions(const expr::Expr& e, const ValueFacts& facts, const OnLoad& on_load);

}  // namespace ridge::cost

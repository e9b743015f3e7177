// Counts the functions of a value, with what is known of it that makes them cheaper.
#pragma once

#include <functional>

#include "ridge/core/function_forms.h"
#include "ridge/cost/nest.h"

namespace ridge::cost {

// What is known of a value and of those it is computed from. Without answers, nothing is.
struct ValueFacts {
  FunctionForms forms{};
  std::function<bool(const expr::Expr& call)> is_available{};  // computed before, and kept
};

using OnLoad = std::function<void(const expr::Expr& load)>;

// The functions of `e`, each node once; `on_load` gets each load. The arithmetic of an index is left
// out, unless it looks something up.
Operations count_functions(const expr::Expr& e, const ValueFacts& facts, const OnLoad& on_load);

// How functions count: expr::info has what they take on a CPU, gpu_functions.cpp on a GPU.
//
// Each function of reals is one flop, whatever it takes; a product and sum are two.
double flops_of(const Operations& operations);

// A CPU measures it by itself (`function.exp`): a polynomial, a root or a division.
bool is_special(expr::Function function);

}  // namespace ridge::cost

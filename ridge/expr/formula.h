// An integer expression over numbered symbols, ready to be evaluated many times: guards of a program,
// extents of its kernels, shapes of its results.
//
//   const Formula f(3 * b + s, {b, s});
//   f(values)       3 * values[0] + values[1]
//
// In: a boolean or integer expression whose leaves are constants and the given symbols. Out: a list
// of instructions over a stack. What is rare in sizes (reals, `select`) is left to `evaluate`.
#pragma once

#include <span>
#include <vector>

#include "ridge/expr/expr.h"
#include "ridge/expr/symbol.h"

namespace ridge::expr {

using Symbols = std::vector<Ref<const Symbol>>;

class Formula {
 public:
  // Error{internal} for a symbol that is not among them.
  Formula(const Expr& e, const Symbols& symbols);

  // `values` of the symbols, in order. A condition gives 1 or 0. Error{value} where it divides by 0.
  int64_t operator()(std::span<const int64_t> values) const;

 private:
  struct Instruction {
    enum class Kind : uint8_t { constant, symbol, call } kind;
    Function function{};
    int64_t operand = 0;  // the constant, or the number of the symbol
  };
  std::vector<Instruction> instructions_;
  size_t depth_ = 0;  // of the stack
  Expr rare_{};       // in place of instructions; its symbols are params
};

}  // namespace ridge::expr

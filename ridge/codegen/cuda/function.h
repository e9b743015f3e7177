// One function of expressions on operands that are written already.
#pragma once

#include <vector>

#include "ridge/codegen/cuda/emission.h"

namespace ridge::codegen::cuda {

// `call` says what is known of the result and the arguments; `real` is the arithmetic of reals.
// Not for select.
Operand write_function(Emission& emission, const Expr& call, std::vector<Operand> args,
                       CppType real);

// Values that threads have combined.
std::set<int> totals_of(const loop::Kernel& kernel);
// Values whose sine and cosine are both taken: they share the reduction of the argument.
std::set<int> angled_values(const loop::Kernel& kernel);
// The reduction of an argument of which `fact` is known.
std::string angle_text(Emission& emission, const Fact& fact, const std::string& argument);

// The integer ones, which are as wide as the facts ask for.
Operand write_integer_function(Emission& emission, const Expr& call, std::vector<Operand> args);

// a + b, with parentheses where they are needed.
// Levels of operators in C++, tightest first.
inline constexpr int kProduct = 2, kSum = 3, kShift = 4, kOrder = 5, kEquality = 6, kBitAnd = 7,
                     kBitXor = 8, kBitOr = 9, kAnd = 10, kOr = 11;
Operand infix(std::string_view symbol, const Operand& a, const Operand& b, CppType type, int level);

}  // namespace ridge::codegen::cuda

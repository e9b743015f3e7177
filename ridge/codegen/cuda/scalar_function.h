// One function of expressions on operands that are written already.
#pragma once

#include <vector>

#include "ridge/codegen/cuda/emission.h"

namespace ridge::codegen::cuda {

// `call` says what is known of the result and the arguments; `real` is the arithmetic of reals.
// Not for select.
Operand write_function(Emission& emission, const Expr& call, std::vector<Operand> args,
                       CppType real);

// Values that are multiplied by themselves and used for nothing else: their sign does not matter.
std::set<int> sign_free_values_of(const loop::Kernel& kernel);
// Values whose sine and cosine are both taken, in the same precision: they share the reduction of the
// argument. True where 16 bits are enough.
std::map<int, bool> values_with_sincos(const loop::Kernel& kernel);
// The reduction of an argument of which `fact` is known.
std::string angle_text(Emission& emission, const ValueFact& fact, const std::string& argument,
                       bool is_16_bits);
// The largest angle for which the short reduction is enough. From kernels/cuda/trigonometry.cuh, to which a test
// holds it.
inline constexpr double kSmallAngle = 48000;
// What is known of one that needs the short reduction only.
ValueFact small_angle();
// The template argument of functions that have a form for 16 bits.
std::string_view bits_text(bool is_16_bits);

// 1 + tanh(x) and 1 + erf(x) have forms of their own where 16 bits are enough. Gives the call of tanh or
// erf in such a sum, else null.
const Expr* one_plus(const Emission& emission, const Expr& call, CppType real);
Operand write_one_plus(Emission& emission, const Expr& call, Operand argument);

// The integer ones, which are as wide as the facts ask for.
Operand write_integer_function(Emission& emission, const Expr& call, std::vector<Operand> args);

// a + b, with parentheses where they are needed.
// Levels of operators in C++, tightest first.
inline constexpr int kProduct = 2, kSum = 3, kShift = 4, kOrder = 5, kEquality = 6, kBitAnd = 7,
                     kBitXor = 8, kBitOr = 9, kAnd = 10, kOr = 11;
Operand infix(std::string_view symbol, const Operand& a, const Operand& b, CppType type, int level);

}  // namespace ridge::codegen::cuda

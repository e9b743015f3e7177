// Elementary functions in IR of our own, on scalars and lanes.
//
// The f32 versions are polynomials, accurate to the units in the last place given here (measured
// by math_test.cpp over random and special arguments, against libm in double). Infinities, NaN,
// signed zeros and subnormals come out as libm has them, but for the sign of a NaN. The f64
// versions call libm for each lane.
//
//   exp    1.0 ulp
//   log    1.0 ulp
//   tanh   1.5 ulp
//   erf    1.2 ulp
//   sin    1.6 ulp     libm for lanes beyond 39000 in magnitude
//   cos    1.6 ulp     likewise
#pragma once

#include "ridge/codegen/llvm/code.h"

namespace ridge::codegen {

// Adding 1.5 * 2^23 rounds a float to an integer, which then stands in its last bits. Unlike a
// conversion it does no harm to NaN.
inline constexpr double kRounder = 12582912.0;
inline constexpr uint32_t kRounderBits = 0x4b400000;

Value* emit_exp(Code& code, Value* x);
Value* emit_log(Code& code, Value* x);
Value* emit_tanh(Code& code, Value* x);
Value* emit_erf(Code& code, Value* x);
Value* emit_sin(Code& code, Value* x);
Value* emit_cos(Code& code, Value* x);
// libm for each lane, but for the exponents 0.5, 1, 2, 3 and -1 when constant.
Value* emit_pow(Code& code, Value* x, Value* y);

// c[0] + x * (c[1] + x * (...)), by Horner's rule.
Value* polynomial(Code& code, Value* x, llvm::ArrayRef<double> coefficients);
// 2^n for the i32 lanes n, -126 <= n <= 127, as floats.
Value* power_of_two(Code& code, Value* n);

// ln 2 in two parts: products of the first one with small whole numbers are exact in f32.
inline constexpr double kLn2High = 0.693359375;
inline constexpr double kLn2Low = -2.12194440e-4;

}  // namespace ridge::codegen

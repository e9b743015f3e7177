// exp(x) = 2^n * exp(r), n = round(x / ln 2), |r| <= ln 2 / 2.
#include "ridge/codegen/llvm/lane_call.h"
#include "ridge/codegen/llvm/math.h"

namespace ridge::codegen {
namespace {

constexpr double kLog2E = 1.44269504088896341;
// Beyond these the result is infinite, or zero.
constexpr double kLargestExponent = 88.75;
constexpr double kSmallest = -104.0;

// exp on [-ln 2 / 2, ln 2 / 2]: 1 + r + r^2 * p(r), p by Remez (Cephes).
constexpr double kExp[] = {5.0000001201e-1, 1.6666665459e-1, 4.1665795894e-2,
                           8.3334519073e-3, 1.3981999507e-3, 1.9875691500e-4};

}  // namespace

Value* emit_exp(Code& code, Value* x) {
  if (x->getType()->getScalarType()->isDoubleTy()) return call_by_lane(code, "exp", {x});
  Builder& b = code.builder;
  // The order of the operands lets NaN through.
  const auto clamp = [&](Value* v) {
    Value* is_large = b.CreateFCmpOGT(v, real_like(v, kLargestExponent));
    v = b.CreateSelect(is_large, real_like(v, kLargestExponent), v);
    return b.CreateSelect(b.CreateFCmpOLT(v, real_like(v, kSmallest)), real_like(v, kSmallest), v);
  };
  Value* clamped = clamp(x);
  Value* shifted = multiply_add(code, clamped, real_like(x, kLog2E), real_like(x, kRounder));
  Value* turns = b.CreateFSub(shifted, real_like(x, kRounder));
  Value* r = multiply_add(code, turns, real_like(x, -kLn2High), clamped);
  r = multiply_add(code, turns, real_like(x, -kLn2Low), r);
  Value* tail = b.CreateFMul(b.CreateFMul(r, r), polynomial(code, r, kExp));
  Value* result = b.CreateFAdd(b.CreateFAdd(tail, r), real_like(x, 1));
  // In two steps, because 2^n alone may be too large or too small for a float.
  Value* bits = b.CreateBitCast(shifted, shaped_like(x, b.getInt32Ty()));
  Value* n = b.CreateSub(bits, bits_like(x, kRounderBits));
  Value* half = b.CreateAShr(n, bits_like(x, 1));
  result = b.CreateFMul(result, power_of_two(code, half));
  return b.CreateFMul(result, power_of_two(code, b.CreateSub(n, half)));
}

}  // namespace ridge::codegen

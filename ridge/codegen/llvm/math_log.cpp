// log(x) = e * ln 2 + log(m), x = 2^e * m, sqrt(1/2) <= m < sqrt(2).
#include <limits>

#include "ridge/codegen/llvm/lane_call.h"
#include "ridge/codegen/llvm/math.h"

namespace ridge::codegen {
namespace {

constexpr uint32_t kSqrtHalfBits = 0x3f3504f3;
constexpr double kSmallestNormal = 0x1p-126;

// log(1 + f) = f - f^2 / 2 + f^3 * p(f) (Cephes).
constexpr double kLog[] = {3.3333331174e-1,  -2.4999993993e-1, 2.0000714765e-1,
                           -1.6668057665e-1, 1.4249322787e-1,  -1.2420140846e-1,
                           1.1676998740e-1,  -1.1514610310e-1, 7.0376836292e-2};

}  // namespace

Value* emit_log(Code& code, Value* x) {
  if (x->getType()->getScalarType()->isDoubleTy()) return call_by_lane(code, "log", {x});
  Builder& b = code.builder;
  const double infinity = std::numeric_limits<double>::infinity();
  llvm::Type* word = shaped_like(x, b.getInt32Ty());

  Value* is_subnormal = b.CreateFCmpOLT(x, real_like(x, kSmallestNormal));
  Value* normal = b.CreateSelect(is_subnormal, b.CreateFMul(x, real_like(x, 0x1p23)), x);
  Value* bits = b.CreateBitCast(normal, word);
  Value* e = b.CreateAShr(b.CreateSub(bits, bits_like(x, kSqrtHalfBits)), bits_like(x, 23));
  Value* m = b.CreateBitCast(b.CreateSub(bits, b.CreateShl(e, bits_like(x, 23))), x->getType());
  Value* exponent = b.CreateSIToFP(e, x->getType());
  Value* less = b.CreateSelect(is_subnormal, real_like(x, -23), real_like(x, 0));
  exponent = b.CreateFAdd(exponent, less);

  Value* f = b.CreateFSub(m, real_like(x, 1));
  Value* square = b.CreateFMul(f, f);
  Value* tail = b.CreateFMul(b.CreateFMul(square, f), polynomial(code, f, kLog));
  tail = multiply_add(code, exponent, real_like(x, kLn2Low), tail);
  tail = multiply_add(code, square, real_like(x, -0.5), tail);
  Value* result = multiply_add(code, exponent, real_like(x, kLn2High), b.CreateFAdd(f, tail));

  result = b.CreateSelect(b.CreateFCmpOEQ(x, real_like(x, infinity)), x, result);
  result = b.CreateSelect(b.CreateFCmpOEQ(x, real_like(x, 0)), real_like(x, -infinity), result);
  Value* has_none = b.CreateFCmpULT(x, real_like(x, 0));  // negative, or NaN
  return b.CreateSelect(has_none, real_like(x, std::numeric_limits<double>::quiet_NaN()), result);
}

}  // namespace ridge::codegen

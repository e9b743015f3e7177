// Elementary functions but for sin and cos (math_trig.cpp).
#include "ridge/codegen/llvm/math.h"

#include <llvm/IR/Intrinsics.h>

#include <limits>

#include "ridge/codegen/llvm/code.h"

namespace ridge::codegen {

// log(x) = e * ln 2 + log(m), x = 2^e * m, sqrt(1/2) <= m < sqrt(2).

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

// What the elementary functions share.
Value* polynomial(Code& code, Value* x, llvm::ArrayRef<double> coefficients) {
  Value* sum = real_like(x, coefficients.back());
  for (size_t i = coefficients.size() - 1; i-- > 0;) {
    sum = multiply_add(code, sum, x, real_like(x, coefficients[i]));
  }
  return sum;
}

Value* power_of_two(Code& code, Value* n) {
  Builder& b = code.builder;
  Value* exponent = b.CreateShl(b.CreateAdd(n, bits_like(n, 127)), bits_like(n, 23));
  return b.CreateBitCast(exponent, shaped_like(n, b.getFloatTy()));
}

// exp(x) = 2^n * exp(r), n = round(x / ln 2), |r| <= ln 2 / 2.

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

// tanh: an odd polynomial near zero, 1 - 2 / (exp(2 |x|) + 1) elsewhere.

namespace {

constexpr double kTanhNearZero = 0.625;
// tanh(x) = x + x^3 * p(x^2) (Cephes).
constexpr double kTanh[] = {-3.33332819422e-1, 1.33314422036e-1, -5.37397155531e-2,
                            2.06390887954e-2, -5.70498872745e-3};

}  // namespace

Value* emit_tanh(Code& code, Value* x) {
  if (x->getType()->getScalarType()->isDoubleTy()) return call_by_lane(code, "tanh", {x});
  Builder& b = code.builder;
  Value* magnitude = call_intrinsic(code, llvm::Intrinsic::fabs, {x});
  Value* square = b.CreateFMul(x, x);
  Value* cube = b.CreateFMul(square, x);
  Value* near = multiply_add(code, polynomial(code, square, kTanh), cube, x);

  Value* grown = b.CreateFAdd(emit_exp(code, b.CreateFAdd(magnitude, magnitude)), real_like(x, 1));
  Value* far = b.CreateFSub(real_like(x, 1), b.CreateFDiv(real_like(x, 2), grown));
  far = call_intrinsic(code, llvm::Intrinsic::copysign, {far, x});
  // 0 * x^3 + x would give +0 for -0.
  Value* is_zero = b.CreateFCmpOEQ(x, real_like(x, 0));
  near = b.CreateSelect(is_zero, x, near);
  return b.CreateSelect(b.CreateFCmpOLT(magnitude, real_like(x, kTanhNearZero)), near, far);
}

// erf: an odd polynomial near zero, 1 - exp(p(|x|)) elsewhere.

namespace {

constexpr double kNearZero = 0.927734375;
// From here on the result is 1.
constexpr double kFlat = 4.0;
// erf(x) = x + x * p(x^2), and log(1 - erf(x)) = -x + x * q(x); minimax fits (N. Juffa).
constexpr double kNear[] = {1.28379166e-1,  -3.76125336e-1, 1.12819925e-1,
                            -2.67681349e-2, 4.99119423e-3,  -5.96761703e-4};
constexpr double kFar[] = {-1.28717512e-1, -6.34846687e-1, -1.06777877e-1, 2.42546219e-2,
                           -3.88396438e-3, 3.83197126e-4,  -1.72853470e-5};

}  // namespace

Value* emit_erf(Code& code, Value* x) {
  if (x->getType()->getScalarType()->isDoubleTy()) return call_by_lane(code, "erf", {x});
  Builder& b = code.builder;
  Value* magnitude = call_intrinsic(code, llvm::Intrinsic::fabs, {x});
  Value* near = multiply_add(code, polynomial(code, b.CreateFMul(x, x), kNear), x, x);
  near = b.CreateSelect(b.CreateFCmpOEQ(x, real_like(x, 0)), x, near);  // keeps -0

  Value* is_flat = b.CreateFCmpOGT(magnitude, real_like(x, kFlat));
  Value* t = b.CreateSelect(is_flat, real_like(x, kFlat), magnitude);
  Value* exponent = multiply_add(code, polynomial(code, t, kFar), t, b.CreateFNeg(t));
  Value* far = b.CreateFSub(real_like(x, 1), emit_exp(code, exponent));
  far = call_intrinsic(code, llvm::Intrinsic::copysign, {far, x});
  return b.CreateSelect(b.CreateFCmpOLE(magnitude, real_like(x, kNearZero)), near, far);
}

namespace {

const llvm::ConstantFP* constant_exponent(Value* y) {
  auto* constant = llvm::dyn_cast<llvm::Constant>(y);
  if (constant != nullptr && lanes_of(y) > 1) constant = constant->getSplatValue();
  return llvm::dyn_cast_or_null<llvm::ConstantFP>(constant);
}

}  // namespace

Value* emit_pow(Code& code, Value* x, Value* y) {
  Builder& b = code.builder;
  if (const llvm::ConstantFP* exponent = constant_exponent(y)) {
    if (exponent->isExactlyValue(1.0)) return x;
    if (exponent->isExactlyValue(2.0)) return b.CreateFMul(x, x);
    if (exponent->isExactlyValue(3.0)) return b.CreateFMul(b.CreateFMul(x, x), x);
    if (exponent->isExactlyValue(-1.0)) return b.CreateFDiv(real_like(x, 1), x);
    if (exponent->isExactlyValue(0.5)) {
      // pow(-0, 0.5) is +0 and pow(-inf, 0.5) is +inf, unlike sqrt.
      const double infinity = std::numeric_limits<double>::infinity();
      Value* root = call_intrinsic(code, llvm::Intrinsic::sqrt, {b.CreateFAdd(x, real_like(x, 0))});
      Value* is_lowest = b.CreateFCmpOEQ(x, real_like(x, -infinity));
      return b.CreateSelect(is_lowest, real_like(x, infinity), root);
    }
  }
  const bool is_double = x->getType()->getScalarType()->isDoubleTy();
  return call_by_lane(code, is_double ? "pow" : "powf", {x, y});
}

}  // namespace ridge::codegen

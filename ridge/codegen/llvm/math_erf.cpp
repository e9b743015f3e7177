// erf: an odd polynomial near zero, 1 - exp(p(|x|)) elsewhere.
#include <llvm/IR/Intrinsics.h>

#include "ridge/codegen/llvm/lane_call.h"
#include "ridge/codegen/llvm/math.h"

namespace ridge::codegen {
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

}  // namespace ridge::codegen

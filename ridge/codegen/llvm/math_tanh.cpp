// tanh: an odd polynomial near zero, 1 - 2 / (exp(2 |x|) + 1) elsewhere.
#include <llvm/IR/Intrinsics.h>

#include "ridge/codegen/llvm/lane_call.h"
#include "ridge/codegen/llvm/math.h"

namespace ridge::codegen {
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

}  // namespace ridge::codegen

#include <llvm/IR/Intrinsics.h>

#include <limits>

#include "ridge/codegen/llvm/lane_call.h"
#include "ridge/codegen/llvm/math.h"

namespace ridge::codegen {
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

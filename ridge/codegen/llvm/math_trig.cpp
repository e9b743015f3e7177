// sin and cos: x = n * pi / 2 + r, |r| <= pi / 4, then a polynomial chosen by n modulo 4.
#include <llvm/IR/Intrinsics.h>

#include "ridge/codegen/llvm/code.h"
#include "ridge/codegen/llvm/math.h"

namespace ridge::codegen {
namespace {

constexpr double kTwoOverPi = 0.636619772367581343;
// Above this, n * (pi / 2) loses bits that r needs.
constexpr double kLargestAngle = 39000.0;

// pi / 2 in three floats, for machines that multiply and add in one rounding ...
constexpr double kPart1 = 0x1.921fb0p+00;
constexpr double kPart2 = 0x1.5110b4p-22;
constexpr double kPart3 = 0x1.846988p-48;
// ... and in two doubles for others: n times the first one is exact.
constexpr double kHigh = 1.57079632673412561417;
constexpr double kLow = 6.07710050650619224932e-11;

// sin(r) = r + r^3 * p(r^2), cos(r) = 1 + r^2 * q(r^2) (N. Juffa).
constexpr double kSin[] = {-1.66666672e-1, 8.33338592e-3, -1.98559923e-4, 2.86567956e-6};
constexpr double kCos[] = {-5.00000000e-1, 4.16666567e-2, -1.38877297e-3, 2.44677067e-5};

Value* reduced(Code& code, Value* x, Value* n) {
  Builder& b = code.builder;
  if (code.has_fma) {
    Value* r = multiply_add(code, n, real_like(x, -kPart1), x);
    r = multiply_add(code, n, real_like(x, -kPart2), r);
    return multiply_add(code, n, real_like(x, -kPart3), r);
  }
  llvm::Type* wide = shaped_like(x, b.getDoubleTy());
  Value* turns = b.CreateFPExt(n, wide);
  Value* r = b.CreateFSub(b.CreateFPExt(x, wide), b.CreateFMul(turns, real_like(turns, kHigh)));
  r = b.CreateFSub(r, b.CreateFMul(turns, real_like(turns, kLow)));
  return b.CreateFPTrunc(r, x->getType());
}

// Where an argument is too large for the reduction, libm's answer in place of ours.
Value* with_large(Code& code, Value* x, Value* result, llvm::StringRef name) {
  Builder& b = code.builder;
  Value* magnitude = call_intrinsic(code, llvm::Intrinsic::fabs, {x});
  Value* is_large = b.CreateFCmpOGT(magnitude, real_like(x, kLargestAngle));
  llvm::BasicBlock* here = b.GetInsertBlock();
  llvm::Function* function = here->getParent();
  auto* rare = llvm::BasicBlock::Create(code.context, "large", function);
  auto* after = llvm::BasicBlock::Create(code.context, "after", function);
  b.CreateCondBr(any_lane(code, is_large), rare, after);
  b.SetInsertPoint(rare);
  Value* exact = b.CreateSelect(is_large, call_by_lane(code, name, {x}), result);
  b.CreateBr(after);
  b.SetInsertPoint(after);
  llvm::PHINode* either = b.CreatePHI(x->getType(), 2);
  either->addIncoming(result, here);
  either->addIncoming(exact, rare);
  return either;
}

// sin(x + quarter_turns * pi / 2)
Value* wave(Code& code, Value* x, uint32_t quarter_turns) {
  Builder& b = code.builder;
  llvm::Type* word = shaped_like(x, b.getInt32Ty());
  Value* shifted = multiply_add(code, x, real_like(x, kTwoOverPi), real_like(x, kRounder));
  Value* n = b.CreateFSub(shifted, real_like(x, kRounder));
  Value* bits = b.CreateBitCast(shifted, word);
  Value* quadrant = b.CreateSub(bits, bits_like(x, kRounderBits - quarter_turns));
  Value* r = reduced(code, x, n);
  Value* square = b.CreateFMul(r, r);
  Value* cube = b.CreateFMul(square, r);
  Value* sine = multiply_add(code, polynomial(code, square, kSin), cube, r);
  Value* cosine = multiply_add(code, polynomial(code, square, kCos), square, real_like(x, 1));
  Value* is_odd = b.CreateICmpNE(b.CreateAnd(quadrant, bits_like(x, 1)), bits_like(x, 0));
  Value* result = b.CreateSelect(is_odd, cosine, sine);
  Value* sign = b.CreateShl(b.CreateAnd(quadrant, bits_like(x, 2)), bits_like(x, 30));
  return b.CreateBitCast(b.CreateXor(b.CreateBitCast(result, word), sign), x->getType());
}

}  // namespace

Value* emit_sin(Code& code, Value* x) {
  if (x->getType()->getScalarType()->isDoubleTy()) return call_by_lane(code, "sin", {x});
  Value* result = wave(code, x, 0);
  Value* is_zero = code.builder.CreateFCmpOEQ(x, real_like(x, 0));
  result = code.builder.CreateSelect(is_zero, x, result);  // keeps -0
  return with_large(code, x, result, "sinf");
}

Value* emit_cos(Code& code, Value* x) {
  if (x->getType()->getScalarType()->isDoubleTy()) return call_by_lane(code, "cos", {x});
  return with_large(code, x, wave(code, x, 1), "cosf");
}

}  // namespace ridge::codegen

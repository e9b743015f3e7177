// Integer division and powers, as expr/integer.h defines them.
#include <llvm/IR/Intrinsics.h>

#include "ridge/codegen/llvm/code.h"
#include "ridge/codegen/llvm/memory.h"
#include "ridge/codegen/llvm/scalar_function.h"

namespace ridge::codegen {
namespace {

// The divisor, if it is a constant greater than 0.
const llvm::APInt* positive_constant(Value* value) {
  auto* constant = llvm::dyn_cast<llvm::Constant>(value);
  if (constant != nullptr && lanes_of(value) > 1) constant = constant->getSplatValue();
  const auto* number = llvm::dyn_cast_or_null<llvm::ConstantInt>(constant);
  return number != nullptr && number->getValue().isStrictlyPositive() ? &number->getValue()
                                                                      : nullptr;
}

Quotient divide_by_constant(Builder& b, Value* a, Value* divisor, const llvm::APInt& number) {
  if (number.isPowerOf2()) {
    return {b.CreateAShr(a, integer_like(a, number.logBase2())),
            b.CreateAnd(a, integer_like(a, number.getSExtValue() - 1))};
  }
  Value* quotient = b.CreateSDiv(a, divisor);
  Value* rest = b.CreateSub(a, b.CreateMul(quotient, divisor));
  Value* is_negative = b.CreateICmpSLT(rest, integer_like(a, 0));
  return {b.CreateSelect(is_negative, b.CreateSub(quotient, integer_like(a, 1)), quotient),
          b.CreateSelect(is_negative, b.CreateAdd(rest, divisor), rest)};
}

// integer.h's wrapping_power as a function of the module.
void define_power(Code& code, llvm::StringRef name) {
  if (code.module.getFunction(name) != nullptr) return;
  llvm::Type* word = code.builder.getInt64Ty();
  auto* function = llvm::Function::Create(llvm::FunctionType::get(word, {word, word}, false),
                                          llvm::GlobalValue::InternalLinkage, name, code.module);
  function->addFnAttr(llvm::Attribute::NoInline);
  auto* entry = llvm::BasicBlock::Create(code.context, "entry", function);
  auto* inside = llvm::BasicBlock::Create(code.context, "loop", function);
  auto* after = llvm::BasicBlock::Create(code.context, "done", function);
  Builder b(entry);
  Value* zero = b.getInt64(0);
  Value* one = b.getInt64(1);
  b.CreateCondBr(b.CreateICmpSGT(function->getArg(1), zero), inside, after);
  b.SetInsertPoint(inside);
  auto* result = b.CreatePHI(word, 2);
  auto* base = b.CreatePHI(word, 2);
  auto* exponent = b.CreatePHI(word, 2);
  Value* is_odd = b.CreateTrunc(exponent, b.getInt1Ty());
  Value* next = b.CreateSelect(is_odd, b.CreateMul(result, base), result);
  result->addIncoming(one, entry);
  result->addIncoming(next, inside);
  base->addIncoming(function->getArg(0), entry);
  base->addIncoming(b.CreateMul(base, base), inside);
  exponent->addIncoming(function->getArg(1), entry);
  Value* left = b.CreateAShr(exponent, one);
  exponent->addIncoming(left, inside);
  b.CreateCondBr(b.CreateICmpSGT(left, zero), inside, after);
  b.SetInsertPoint(after);
  auto* power = b.CreatePHI(word, 2);
  power->addIncoming(one, entry);
  power->addIncoming(next, inside);
  b.CreateRet(power);
}

}  // namespace

Quotient divide_integers(Emission& emission, Value* a, Value* divisor, Value* guard) {
  Builder& b = emission.builder();
  if (const llvm::APInt* number = positive_constant(divisor)) {
    return divide_by_constant(b, a, divisor, *number);
  }
  Value* zero = integer_like(a, 0);
  Value* one = integer_like(a, 1);
  Value* is_zero = b.CreateICmpEQ(divisor, zero);
  report(emission, KernelStatus::division_by_zero, is_zero, guard);
  // Both 0 and -1 (with the lowest integer) trap in the machine's division.
  Value* is_minus_one = b.CreateICmpEQ(divisor, integer_like(a, -1));
  Value* safe = b.CreateSelect(b.CreateOr(is_zero, is_minus_one), one, divisor);
  Value* quotient = b.CreateSDiv(a, safe);
  Value* rest = b.CreateSub(a, b.CreateMul(quotient, safe));
  Value* differs = b.CreateICmpSLT(b.CreateXor(rest, safe), zero);
  Value* rounds_down = b.CreateAnd(b.CreateICmpNE(rest, zero), differs);
  quotient = b.CreateSelect(rounds_down, b.CreateSub(quotient, one), quotient);
  rest = b.CreateSelect(rounds_down, b.CreateAdd(rest, safe), rest);
  return {b.CreateSelect(is_minus_one, b.CreateNeg(a), quotient),
          b.CreateSelect(is_minus_one, zero, rest)};
}

Quotient divide_indices(Emission& emission, Value* a, Value* divisor, Value* guard) {
  Builder& b = emission.builder();
  const llvm::APInt* number = positive_constant(divisor);
  if (number != nullptr && number->isPowerOf2()) {
    return divide_by_constant(b, a, divisor, *number);
  }
  Value* zero = integer_like(a, 0);
  Value* one = integer_like(a, 1);
  Value* is_zero = b.CreateICmpEQ(divisor, zero);
  report(emission, KernelStatus::division_by_zero, is_zero, guard);
  Value* safe = b.CreateSelect(is_zero, one, divisor);
  llvm::Type* real = shaped_like(a, b.getDoubleTy());
  Value* ratio = b.CreateFDiv(b.CreateSIToFP(a, real), b.CreateSIToFP(safe, real));
  Value* floor = call_intrinsic(emission.code, llvm::Intrinsic::floor, {ratio});
  Value* quotient = convert(emission.code, floor, i64);
  // The ratio may have been rounded up to an integer.
  Value* rest = b.CreateSub(a, b.CreateMul(quotient, safe));
  Value* differs = b.CreateICmpSLT(b.CreateXor(rest, safe), zero);
  Value* is_one_more = b.CreateAnd(b.CreateICmpNE(rest, zero), differs);
  return {b.CreateSelect(is_one_more, b.CreateSub(quotient, one), quotient),
          b.CreateSelect(is_one_more, b.CreateAdd(rest, safe), rest)};
}

Value* integer_power(Emission& emission, Value* base, Value* exponent, Value* guard) {
  Builder& b = emission.builder();
  const llvm::APInt* number = positive_constant(exponent);
  if (number != nullptr && number->ule(4)) {
    Value* result = base;
    for (uint64_t i = 1; i < number->getZExtValue(); ++i) result = b.CreateMul(result, base);
    return result;
  }
  Value* is_negative = b.CreateICmpSLT(exponent, integer_like(exponent, 0));
  report(emission, KernelStatus::negative_exponent, is_negative, guard);
  define_power(emission.code, "integer_power");
  return call_by_lane(emission.code, "integer_power", {base, exponent});
}

}  // namespace ridge::codegen

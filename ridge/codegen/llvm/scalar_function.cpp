#include "ridge/codegen/llvm/scalar_function.h"

#include <llvm/IR/Intrinsics.h>

#include "ridge/codegen/llvm/code.h"
#include "ridge/codegen/llvm/math.h"
#include "ridge/codegen/llvm/memory.h"

namespace ridge::codegen {
namespace {

using expr::Function;
using Predicate = llvm::CmpInst::Predicate;

// fmod is exact; what follows is expr/apply.cpp in the arithmetic of the operands.
Value* fmod(Code& code, Value* a, Value* b) {
  const bool is_double = a->getType()->getScalarType()->isDoubleTy();
  return call_by_lane(code, is_double ? "fmod" : "fmodf", {a, b});
}

// Whether the remainder is to be moved by one divisor: it is not zero and differs in sign.
Value* rounds_down(Builder& b, Value* rest, Value* divisor) {
  Value* zero = real_like(rest, 0);
  Value* differs = b.CreateXor(b.CreateFCmpOLT(rest, zero), b.CreateFCmpOLT(divisor, zero));
  return b.CreateAnd(b.CreateFCmpUNE(rest, zero), differs);
}

Value* real_mod(Code& code, Value* a, Value* divisor) {
  Builder& b = code.builder;
  Value* rest = fmod(code, a, divisor);
  return b.CreateSelect(rounds_down(b, rest, divisor), b.CreateFAdd(rest, divisor), rest);
}

Value* real_floor_div(Code& code, Value* a, Value* divisor) {
  Builder& b = code.builder;
  Value* zero = real_like(a, 0);
  Value* one = real_like(a, 1);
  Value* ratio = b.CreateFDiv(a, divisor);
  Value* rest = fmod(code, a, divisor);
  Value* quotient = b.CreateFDiv(b.CreateFSub(a, rest), divisor);
  quotient = b.CreateSelect(rounds_down(b, rest, divisor), b.CreateFSub(quotient, one), quotient);
  Value* floor = call_intrinsic(code, llvm::Intrinsic::floor, {quotient});
  Value* is_above = b.CreateFCmpOGT(b.CreateFSub(quotient, floor), real_like(a, 0.5));
  Value* result = b.CreateSelect(is_above, b.CreateFAdd(floor, one), floor);
  Value* signed_zero = call_intrinsic(code, llvm::Intrinsic::copysign, {zero, ratio});
  result = b.CreateSelect(b.CreateFCmpOEQ(quotient, zero), signed_zero, result);
  return b.CreateSelect(b.CreateFCmpOEQ(divisor, zero), ratio, result);
}

Value* sign(Code& code, Value* a) {
  Builder& b = code.builder;
  if (is_real(a)) {
    Value* zero = real_like(a, 0);
    Value* below = b.CreateSelect(b.CreateFCmpOLT(a, zero), real_like(a, -1), zero);
    Value* result = b.CreateSelect(b.CreateFCmpOGT(a, zero), real_like(a, 1), below);
    return b.CreateSelect(b.CreateFCmpUNO(a, a), a, result);
  }
  Value* zero = integer_like(a, 0);
  Value* below = b.CreateSelect(b.CreateICmpSLT(a, zero), integer_like(a, -1), zero);
  return b.CreateSelect(b.CreateICmpSGT(a, zero), integer_like(a, 1), below);
}

Value* absolute(Code& code, Value* a) {
  if (is_real(a)) return call_intrinsic(code, llvm::Intrinsic::fabs, {a});
  Builder& b = code.builder;
  return b.CreateSelect(b.CreateICmpSLT(a, integer_like(a, 0)), b.CreateNeg(a), a);
}

// Booleans compare as 0 and 1, so as unsigned numbers.
Value* compare(Builder& b, Value* x, Value* y, Predicate real, Predicate integer,
               Predicate boolean_order) {
  if (is_real(x)) return b.CreateFCmp(real, x, y);
  return b.CreateICmp(is_boolean(x) ? boolean_order : integer, x, y);
}

Value* f16_value(Code& code, Value* bits) {
  Builder& b = code.builder;
  return widen(code, b.CreateTrunc(bits, shaped_like(bits, b.getInt16Ty())), f16);
}

Value* checked_index(Emission& emission, Value* index, Value* extent, Value* guard) {
  Builder& b = emission.builder();
  Value* is_inside = b.CreateICmpULT(index, extent);  // a negative one is huge as unsigned
  report(emission, KernelStatus::index_out_of_range, b.CreateNot(is_inside), guard);
  return b.CreateSelect(is_inside, index, integer_like(index, 0));
}

Value* arithmetic(Emission& emission, Function function, Value* x, Value* y) {
  Builder& b = emission.builder();
  const bool real = is_real(x);
  if (function == Function::add) return real ? b.CreateFAdd(x, y) : b.CreateAdd(x, y);
  if (function == Function::sub) return real ? b.CreateFSub(x, y) : b.CreateSub(x, y);
  return real ? b.CreateFMul(x, y) : b.CreateMul(x, y);
}

}  // namespace

Value* choose(Code& code, Value* condition, Value* if_true, Value* if_false) {
  match(code, if_true, if_false);
  const unsigned lanes = std::max(lanes_of(condition), lanes_of(if_true));
  if (lanes_of(condition) > 1) {
    if_true = splat(code, if_true, lanes);
    if_false = splat(code, if_false, lanes);
  }
  return code.builder.CreateSelect(condition, if_true, if_false);
}

Value* emit_min(Code& code, Value* a, Value* b) {
  Builder& builder = code.builder;
  if (is_boolean(a)) return builder.CreateAnd(a, b);
  if (!is_real(a)) return builder.CreateSelect(builder.CreateICmpSLT(a, b), a, b);
  Value* lesser = builder.CreateSelect(builder.CreateFCmpOLT(a, b), a, b);
  return builder.CreateSelect(builder.CreateFCmpUNO(a, a), a, lesser);
}

Value* emit_max(Code& code, Value* a, Value* b) {
  Builder& builder = code.builder;
  if (is_boolean(a)) return builder.CreateOr(a, b);
  if (!is_real(a)) return builder.CreateSelect(builder.CreateICmpSLT(a, b), b, a);
  Value* greater = builder.CreateSelect(builder.CreateFCmpOLT(b, a), a, b);
  return builder.CreateSelect(builder.CreateFCmpUNO(a, a), a, greater);
}

Value* emit_function(Emission& emission, Function function, llvm::ArrayRef<Value*> args,
                     Value* guard) {
  Code& code = emission.code;
  Builder& b = emission.builder();
  Value* x = args[0];
  Value* y = args.size() > 1 ? args[1] : nullptr;
  const auto intrinsic = [&](llvm::Intrinsic::ID id) { return call_intrinsic(code, id, {x}); };
  switch (function) {
    case Function::neg: return is_real(x) ? b.CreateFNeg(x) : b.CreateNeg(x);
    case Function::add:
    case Function::sub:
    case Function::mul: return arithmetic(emission, function, x, y);
    case Function::fma: return call_intrinsic(code, llvm::Intrinsic::fma, args);
    case Function::div: return b.CreateFDiv(x, y);
    case Function::floor_div:
      return is_real(x) ? real_floor_div(code, x, y)
                        : divide_integers(emission, x, y, guard).quotient;
    case Function::mod:
      return is_real(x) ? real_mod(code, x, y) : divide_integers(emission, x, y, guard).rest;
    case Function::pow:
      return is_real(x) ? emit_pow(code, x, y) : integer_power(emission, x, y, guard);
    case Function::min: return emit_min(code, x, y);
    case Function::max: return emit_max(code, x, y);
    case Function::abs: return absolute(code, x);
    case Function::sign: return sign(code, x);
    case Function::floor: return intrinsic(llvm::Intrinsic::floor);
    case Function::ceil: return intrinsic(llvm::Intrinsic::ceil);
    case Function::round: return intrinsic(llvm::Intrinsic::rint);  // the mode is half to even
    case Function::trunc: return intrinsic(llvm::Intrinsic::trunc);

    case Function::equal:
      return compare(b, x, y, Predicate::FCMP_OEQ, Predicate::ICMP_EQ, Predicate::ICMP_EQ);
    case Function::not_equal:
      return compare(b, x, y, Predicate::FCMP_UNE, Predicate::ICMP_NE, Predicate::ICMP_NE);
    case Function::less:
      return compare(b, x, y, Predicate::FCMP_OLT, Predicate::ICMP_SLT, Predicate::ICMP_ULT);
    case Function::less_equal:
      return compare(b, x, y, Predicate::FCMP_OLE, Predicate::ICMP_SLE, Predicate::ICMP_ULE);
    case Function::logical_and: return b.CreateAnd(x, y);
    case Function::logical_or: return b.CreateOr(x, y);
    case Function::logical_xor: return b.CreateXor(x, y);
    case Function::logical_not: return b.CreateNot(x);
    case Function::is_nan: return b.CreateFCmpUNO(x, x);
    case Function::select: return choose(code, x, y, args[2]);

    case Function::exp: return emit_exp(code, x);
    case Function::log: return emit_log(code, x);
    case Function::sqrt: return intrinsic(llvm::Intrinsic::sqrt);
    case Function::rsqrt: return b.CreateFDiv(real_like(x, 1), intrinsic(llvm::Intrinsic::sqrt));
    case Function::sin: return emit_sin(code, x);
    case Function::cos: return emit_cos(code, x);
    case Function::tanh: return emit_tanh(code, x);
    case Function::erf: return emit_erf(code, x);

    case Function::checked_index: return checked_index(emission, x, y, guard);
    case Function::philox: return emit_philox(code, args);
    case Function::shift_right: return b.CreateAShr(x, b.CreateAnd(y, integer_like(y, 63)));
    case Function::f16_value: return f16_value(code, x);
  }
  return x;
}

}  // namespace ridge::codegen

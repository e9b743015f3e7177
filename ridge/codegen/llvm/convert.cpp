#include <llvm/IR/Intrinsics.h>

#include "ridge/base/error.h"
#include "ridge/codegen/llvm/memory.h"

namespace ridge::codegen {
namespace {

llvm::Type* int_type(Code& code, const Value* like, unsigned bits) {
  return shaped_like(like, code.builder.getIntNTy(bits));
}

Value* to_real(Code& code, Value* value, llvm::Type* real) {
  llvm::Type* type = shaped_like(value, real);
  if (value->getType() == type) return value;
  if (is_real(value)) return code.builder.CreateFPCast(value, type);
  return is_boolean(value) ? code.builder.CreateUIToFP(value, type)
                           : code.builder.CreateSIToFP(value, type);
}

Value* to_boolean(Code& code, Value* value) {
  if (is_boolean(value)) return value;
  if (is_real(value)) return code.builder.CreateFCmpUNE(value, real_like(value, 0));
  return code.builder.CreateICmpNE(value, integer_like(value, 0));
}

// The nearest number that the dtype has, toward zero; NaN gives 0.
Value* saturated(Code& code, Value* value, DType dtype) {
  const bool is_signed = dtype.kind == DTypeKind::signed_integer;
  return code.builder.CreateIntrinsic(
      is_signed ? llvm::Intrinsic::fptosi_sat : llvm::Intrinsic::fptoui_sat,
      {int_type(code, value, dtype.bits), value->getType()}, {value});
}

Value* to_integer(Code& code, Value* value) {
  if (is_integer(value)) return value;
  llvm::Type* type = int_type(code, value, 64);
  if (is_boolean(value)) return code.builder.CreateZExt(value, type);
  return saturated(code, value, i64);
}

// double to float, so that rounding once more to 16 bits is as good as rounding once: an inexact
// result whose last bit is even moves to its odd neighbor on the other side of the exact value.
Value* round_to_odd(Code& code, Value* value) {
  Builder& b = code.builder;
  Value* nearest = b.CreateFPTrunc(value, shaped_like(value, b.getFloatTy()));
  Value* back = b.CreateFPExt(nearest, value->getType());
  Value* bits = b.CreateBitCast(nearest, int_type(code, value, 32));
  const auto magnitude = [&](Value* v) { return call_intrinsic(code, llvm::Intrinsic::fabs, {v}); };
  Value* is_even = b.CreateICmpEQ(b.CreateAnd(bits, bits_like(bits, 1)), bits_like(bits, 0));
  Value* moves = b.CreateAnd(b.CreateFCmpONE(back, value), is_even);
  Value* is_above = b.CreateFCmpOGT(magnitude(back), magnitude(value));
  Value* neighbor = b.CreateSelect(is_above, b.CreateSub(bits, bits_like(bits, 1)),
                                   b.CreateAdd(bits, bits_like(bits, 1)));
  return b.CreateBitCast(b.CreateSelect(moves, neighbor, bits), nearest->getType());
}

Value* to_float_before_16_bits(Code& code, Value* value) {
  if (value->getType()->getScalarType()->isDoubleTy()) return round_to_odd(code, value);
  // An i64 has more bits than a float: through double, which has too few for the largest ones only
  // where 16 bits have long overflowed or lost them.
  if (is_integer(value)) {
    return round_to_odd(code, to_real(code, value, code.builder.getDoubleTy()));
  }
  return to_real(code, value, code.builder.getFloatTy());
}

Value* bfloat_to_float(Code& code, Value* element) {
  Builder& b = code.builder;
  Value* bits = b.CreateZExt(element, int_type(code, element, 32));
  bits = b.CreateShl(bits, bits_like(bits, 16));
  return b.CreateBitCast(bits, shaped_like(element, b.getFloatTy()));
}

Value* float_to_bfloat(Code& code, Value* value) {
  Builder& b = code.builder;
  Value* bits = b.CreateBitCast(value, int_type(code, value, 32));
  Value* top = b.CreateLShr(bits, bits_like(bits, 16));
  Value* is_odd = b.CreateAnd(top, bits_like(bits, 1));
  Value* sum = b.CreateAdd(b.CreateAdd(bits, bits_like(bits, 0x7fff)), is_odd);
  Value* rounded = b.CreateLShr(sum, bits_like(bits, 16));
  Value* quiet = b.CreateOr(top, bits_like(bits, 0x40));
  Value* result = b.CreateSelect(b.CreateFCmpUNO(value, value), quiet, rounded);
  return b.CreateTrunc(result, int_type(code, value, 16));
}

// For machines without conversion instructions: shifted into place, the exponent is too small by
// 112, which a multiplication corrects for normal and subnormal numbers alike.
Value* half_to_float(Code& code, Value* element) {
  Builder& b = code.builder;
  if (code.has_f16c) {
    Value* half = b.CreateBitCast(element, shaped_like(element, b.getHalfTy()));
    return b.CreateFPExt(half, shaped_like(element, b.getFloatTy()));
  }
  llvm::Type* type = shaped_like(element, b.getFloatTy());
  Value* bits = b.CreateZExt(element, int_type(code, element, 32));
  Value* magnitude = b.CreateAnd(bits, bits_like(bits, 0x7fff));
  Value* sign = b.CreateShl(b.CreateAnd(bits, bits_like(bits, 0x8000)), bits_like(bits, 16));
  Value* shifted = b.CreateBitCast(b.CreateShl(magnitude, bits_like(bits, 13)), type);
  Value* scaled = b.CreateFMul(shifted, llvm::ConstantFP::get(type, 0x1p112));
  Value* result = b.CreateBitCast(scaled, bits->getType());
  Value* is_special = b.CreateICmpUGE(magnitude, bits_like(bits, 0x7c00));
  result = b.CreateSelect(is_special, b.CreateOr(result, bits_like(bits, 0x7f800000)), result);
  return b.CreateBitCast(b.CreateOr(result, sign), type);
}

Value* float_to_half(Code& code, Value* value) {
  Builder& b = code.builder;
  if (code.has_f16c) {
    Value* half = b.CreateFPTrunc(value, shaped_like(value, b.getHalfTy()));
    return b.CreateBitCast(half, int_type(code, value, 16));
  }
  Value* bits = b.CreateBitCast(value, int_type(code, value, 32));
  const auto pattern = [&](uint32_t p) { return bits_like(bits, p); };
  Value* magnitude = b.CreateAnd(bits, pattern(0x7fffffff));
  Value* sign = b.CreateLShr(b.CreateAnd(bits, pattern(0x80000000)), pattern(16));
  // Subnormal results: adding 0.5 leaves them, rounded, in the last bits.
  Value* half_one = real_like(value, 0.5);
  Value* sum = b.CreateFAdd(b.CreateBitCast(magnitude, value->getType()), half_one);
  Value* small = b.CreateSub(b.CreateBitCast(sum, bits->getType()), pattern(0x3f000000));
  // Normal results: the exponent moves by 112, and half a unit less one, plus the last bit, rounds.
  Value* is_odd = b.CreateAnd(b.CreateLShr(magnitude, pattern(13)), pattern(1));
  Value* rounded = b.CreateAdd(b.CreateAdd(magnitude, pattern(0xc8000fff)), is_odd);
  Value* normal = b.CreateLShr(rounded, pattern(13));
  Value* is_small = b.CreateICmpULT(magnitude, pattern(0x38800000));
  Value* result = b.CreateSelect(is_small, small, normal);
  Value* is_nan = b.CreateICmpUGT(magnitude, pattern(0x7f800000));
  Value* special = b.CreateSelect(is_nan, pattern(0x7e00), pattern(0x7c00));
  result = b.CreateSelect(b.CreateICmpUGE(magnitude, pattern(0x47800000)), special, result);
  return b.CreateTrunc(b.CreateOr(result, sign), int_type(code, value, 16));
}

}  // namespace

Value* convert(Code& code, Value* value, expr::Type type, llvm::Type* real) {
  switch (type) {
    case expr::Type::boolean: return to_boolean(code, value);
    case expr::Type::integer: return to_integer(code, value);
    case expr::Type::real: return to_real(code, value, real);
  }
  return value;
}

Value* convert(Code& code, Value* value, DType register_dtype) {
  return convert(code, value, scalar_type(register_dtype), register_type(code, register_dtype));
}

llvm::Type* storage_type(Code& code, DType dtype) {
  if (dtype == f32 || dtype == f64) return register_type(code, dtype);
  return code.builder.getIntNTy(dtype.bits);
}

Value* widen(Code& code, Value* element, DType dtype) {
  Builder& b = code.builder;
  if (dtype == f32 || dtype == f64 || dtype == i64) return element;
  if (dtype == bf16) return bfloat_to_float(code, element);
  if (dtype == f16) return half_to_float(code, element);
  if (dtype == boolean) {
    return b.CreateICmpNE(element, llvm::Constant::getNullValue(element->getType()));
  }
  llvm::Type* wide = int_type(code, element, 64);
  return dtype == u8 ? b.CreateZExt(element, wide) : b.CreateSExt(element, wide);
}

Value* narrow(Code& code, Value* value, DType dtype) {
  Builder& b = code.builder;
  if (dtype == f32 || dtype == f64) return to_real(code, value, register_type(code, dtype));
  if (dtype == bf16) return float_to_bfloat(code, to_float_before_16_bits(code, value));
  if (dtype == f16) return float_to_half(code, to_float_before_16_bits(code, value));
  llvm::Type* type = int_type(code, value, dtype.bits);
  if (dtype == boolean) return b.CreateZExt(to_boolean(code, value), type);
  if (is_real(value)) return saturated(code, value, dtype);
  return b.CreateTrunc(to_integer(code, value), type);
}

Value* round_through(Code& code, Value* value, DType dtype) {
  Value* rounded = widen(code, narrow(code, value, dtype), dtype);
  if (is_real(value)) return to_real(code, rounded, value->getType()->getScalarType());
  return is_boolean(value) ? to_boolean(code, rounded) : to_integer(code, rounded);
}

}  // namespace ridge::codegen

#include "ridge/codegen/llvm/code.h"

#include <llvm/IR/Intrinsics.h>

namespace ridge::codegen {

unsigned lanes_of(const Value* value) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(value->getType());
  return vector == nullptr ? 1 : vector->getNumElements();
}

bool is_real(const Value* value) { return value->getType()->isFPOrFPVectorTy(); }
bool is_integer(const Value* value) { return value->getType()->isIntOrIntVectorTy(64); }
bool is_boolean(const Value* value) { return value->getType()->isIntOrIntVectorTy(1); }

llvm::Type* with_lanes(llvm::Type* type, unsigned lanes) {
  return lanes == 1 ? type : llvm::FixedVectorType::get(type, lanes);
}
llvm::Type* shaped_like(const Value* like, llvm::Type* element) {
  return with_lanes(element, lanes_of(like));
}

llvm::Type* register_type(Code& code, DType dtype) {
  if (dtype == f32) return code.builder.getFloatTy();
  if (dtype == f64) return code.builder.getDoubleTy();
  return dtype == boolean ? code.builder.getInt1Ty() : code.builder.getInt64Ty();
}

Value* splat(Code& code, Value* value, unsigned lanes) {
  return lanes == 1 || lanes_of(value) == lanes ? value
                                                : code.builder.CreateVectorSplat(lanes, value);
}

void match(Code& code, Value*& a, Value*& b) {
  const unsigned lanes = std::max(lanes_of(a), lanes_of(b));
  a = splat(code, a, lanes);
  b = splat(code, b, lanes);
}

Value* real_like(const Value* like, double value) {
  return llvm::ConstantFP::get(like->getType(), value);
}
Value* bits_like(const Value* like, uint32_t pattern) {
  llvm::Type* type = llvm::Type::getInt32Ty(like->getContext());
  return llvm::ConstantInt::get(shaped_like(like, type), pattern);
}
Value* integer_like(const Value* like, int64_t value) {
  llvm::Type* type = llvm::Type::getInt64Ty(like->getContext());
  return llvm::ConstantInt::getSigned(shaped_like(like, type), value);
}

Value* lane_numbers(Code& code, unsigned lanes, unsigned bits) {
  llvm::Type* type = code.builder.getIntNTy(bits);
  llvm::SmallVector<llvm::Constant*, 64> numbers;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    numbers.push_back(llvm::ConstantInt::get(type, lane));
  }
  return llvm::ConstantVector::get(numbers);
}

Value* both(Code& code, Value* a, Value* b) {
  if (a == nullptr || b == nullptr) return a == nullptr ? b : a;
  match(code, a, b);
  return code.builder.CreateAnd(a, b);
}

Value* any_lane(Code& code, Value* mask) {
  return lanes_of(mask) == 1 ? mask : code.builder.CreateOrReduce(mask);
}

Value* call_intrinsic(Code& code, llvm::Intrinsic::ID id, llvm::ArrayRef<Value*> args) {
  return code.builder.CreateIntrinsic(id, {args[0]->getType()}, args);
}

Value* multiply_add(Code& code, Value* a, Value* b, Value* c) {
  if (code.has_fma) return call_intrinsic(code, llvm::Intrinsic::fma, {a, b, c});
  return code.builder.CreateFAdd(code.builder.CreateFMul(a, b), c);
}

}  // namespace ridge::codegen

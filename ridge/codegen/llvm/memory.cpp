#include "ridge/codegen/llvm/memory.h"

#include <llvm/IR/Intrinsics.h>

#include <optional>

namespace ridge::codegen {
namespace {

llvm::Align alignment(DType dtype) { return llvm::Align(dtype.bits / 8u); }

Value* address(Code& code, const MemoryOperand& operand, Value* index) {
  return code.builder.CreateGEP(storage_type(code, operand.dtype), operand.buffer, index);
}

Value* marked(Code& code, const MemoryOperand& operand, llvm::LoadInst* load) {
  if (operand.is_constant) {
    load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(code.context, {}));
  }
  return load;
}

// Zeros that may be read in place of an element that is not there.
Value* zeros(Code& code) {
  llvm::GlobalVariable* global = code.module.getNamedGlobal("zeros");
  if (global != nullptr) return global;
  auto* type = llvm::ArrayType::get(code.builder.getInt64Ty(), 1);
  global = new llvm::GlobalVariable(code.module, type, true, llvm::GlobalValue::PrivateLinkage,
                                    llvm::Constant::getNullValue(type), "zeros");
  global->setAlignment(llvm::Align(8));
  return global;
}

Value* all_lanes(Code& code, unsigned lanes) {
  return llvm::Constant::getAllOnesValue(with_lanes(code.builder.getInt1Ty(), lanes));
}

// Bytes and 16-bit words have no gather instruction: lane by lane, where an inactive one reads a
// zero of ours, so that there are no branches.
Value* gather_by_lane(Code& code, const MemoryOperand& operand, Value* pointers, Value* mask) {
  Builder& b = code.builder;
  const unsigned lanes = lanes_of(pointers);
  if (mask != nullptr) pointers = b.CreateSelect(mask, pointers, splat(code, zeros(code), lanes));
  llvm::Type* type = storage_type(code, operand.dtype);
  Value* result = llvm::PoisonValue::get(with_lanes(type, lanes));
  for (unsigned lane = 0; lane < lanes; ++lane) {
    auto* load =
        b.CreateAlignedLoad(type, b.CreateExtractElement(pointers, lane), alignment(operand.dtype));
    result = b.CreateInsertElement(result, marked(code, operand, load), lane);
  }
  return result;
}

}  // namespace

Value* load_one(Code& code, const MemoryOperand& operand, Value* index, Value* predicate) {
  Value* pointer = address(code, operand, index);
  if (predicate != nullptr) pointer = code.builder.CreateSelect(predicate, pointer, zeros(code));
  auto* load = code.builder.CreateAlignedLoad(storage_type(code, operand.dtype), pointer,
                                              alignment(operand.dtype));
  return widen(code, marked(code, operand, load), operand.dtype);
}

namespace {

// The lane of a constant mask that has just one. Such an access is made as a scalar: LLVM 22 turns a
// masked store of one known lane into a scalar one itself, and then forgets that the elements were
// truncated, so that a 16-bit element writes 4 bytes.
std::optional<uint64_t> only_lane(const Value* mask) {
  const auto* constant = llvm::dyn_cast<llvm::Constant>(mask);
  const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(mask->getType());
  if (constant == nullptr || type == nullptr) return std::nullopt;
  std::optional<uint64_t> lane;
  for (unsigned i = 0; i < type->getNumElements(); ++i) {
    const llvm::Constant* element = constant->getAggregateElement(i);
    if (element == nullptr || !llvm::isa<llvm::ConstantInt>(element)) return std::nullopt;
    if (element->isZeroValue()) continue;
    if (lane) return std::nullopt;
    lane = i;
  }
  return lane;
}

Value* lane_address(Code& code, const MemoryOperand& operand, Value* first, uint64_t lane) {
  return code.builder.CreateConstInBoundsGEP1_64(storage_type(code, operand.dtype), first, lane);
}

}  // namespace

void prefetch(Code& code, const MemoryOperand& operand, Value* index, int64_t bytes) {
  Builder& b = code.builder;
  Value* pointer = b.CreateGEP(b.getInt8Ty(), address(code, operand, index),
                               b.getInt64(static_cast<uint64_t>(bytes)));
  // To read, of data, and to make room for others first: it is read once, and would leave nothing of kernels and
  // activations in the second-level cache.
  b.CreateIntrinsic(llvm::Intrinsic::prefetch, {pointer->getType()},
                    {pointer, b.getInt32(0), b.getInt32(0), b.getInt32(1)});
}

Value* load_run(Code& code, const MemoryOperand& operand, Value* index, unsigned lanes,
                Value* mask) {
  Value* pointer = address(code, operand, index);
  llvm::Type* type = with_lanes(storage_type(code, operand.dtype), lanes);
  if (mask == nullptr) {
    auto* load = code.builder.CreateAlignedLoad(type, pointer, alignment(operand.dtype));
    return widen(code, marked(code, operand, load), operand.dtype);
  }
  Value* nothing = llvm::Constant::getNullValue(type);
  mask = splat(code, mask, lanes);
  if (const auto lane = only_lane(mask)) {
    Value* one = code.builder.CreateAlignedLoad(storage_type(code, operand.dtype),
                                                lane_address(code, operand, pointer, *lane),
                                                alignment(operand.dtype));
    return widen(code, code.builder.CreateInsertElement(nothing, one, *lane), operand.dtype);
  }
  Value* element =
      code.builder.CreateMaskedLoad(type, pointer, alignment(operand.dtype), mask, nothing);
  return widen(code, element, operand.dtype);
}

Value* gather(Code& code, const MemoryOperand& operand, Value* indices, Value* mask) {
  const unsigned lanes = lanes_of(indices);
  if (mask != nullptr) mask = splat(code, mask, lanes);
  Value* pointers = address(code, operand, indices);
  if (operand.dtype.bits < 32) {
    return widen(code, gather_by_lane(code, operand, pointers, mask), operand.dtype);
  }
  llvm::Type* type = with_lanes(storage_type(code, operand.dtype), lanes);
  if (mask == nullptr) mask = all_lanes(code, lanes);
  return widen(code,
               code.builder.CreateMaskedGather(type, pointers, alignment(operand.dtype), mask,
                                               llvm::Constant::getNullValue(type)),
               operand.dtype);
}

void store_one(Code& code, const MemoryOperand& operand, Value* index, Value* value) {
  code.builder.CreateAlignedStore(narrow(code, value, operand.dtype), address(code, operand, index),
                                  alignment(operand.dtype));
}

void store_run(Code& code, const MemoryOperand& operand, Value* index, Value* value, Value* mask) {
  Value* element = narrow(code, value, operand.dtype);
  Value* pointer = address(code, operand, index);
  if (mask == nullptr) {
    code.builder.CreateAlignedStore(element, pointer, alignment(operand.dtype));
  } else if (const auto lane = only_lane(mask)) {
    code.builder.CreateAlignedStore(code.builder.CreateExtractElement(element, *lane),
                                    lane_address(code, operand, pointer, *lane),
                                    alignment(operand.dtype));
  } else {
    code.builder.CreateMaskedStore(element, pointer, alignment(operand.dtype), mask);
  }
}

void scatter(Code& code, const MemoryOperand& operand, Value* indices, Value* value, Value* mask) {
  if (mask == nullptr) mask = all_lanes(code, lanes_of(indices));
  code.builder.CreateMaskedScatter(narrow(code, value, operand.dtype),
                                   address(code, operand, indices), alignment(operand.dtype), mask);
}

}  // namespace ridge::codegen

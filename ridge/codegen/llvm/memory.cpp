#include "ridge/codegen/llvm/memory.h"

#include <llvm/IR/Intrinsics.h>

#include <optional>

namespace ridge::codegen {
namespace {

llvm::Align alignment(DType dtype) { return llvm::Align(dtype.bits / 8u); }

Value* address(Code& code, const Place& place, Value* index) {
  return code.builder.CreateGEP(storage_type(code, place.dtype), place.buffer, index);
}

Value* marked(Code& code, const Place& place, llvm::LoadInst* load) {
  if (place.is_constant) {
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
Value* gather_by_lane(Code& code, const Place& place, Value* pointers, Value* mask) {
  Builder& b = code.builder;
  const unsigned lanes = lanes_of(pointers);
  if (mask != nullptr) pointers = b.CreateSelect(mask, pointers, splat(code, zeros(code), lanes));
  llvm::Type* type = storage_type(code, place.dtype);
  Value* result = llvm::PoisonValue::get(with_lanes(type, lanes));
  for (unsigned lane = 0; lane < lanes; ++lane) {
    auto* load =
        b.CreateAlignedLoad(type, b.CreateExtractElement(pointers, lane), alignment(place.dtype));
    result = b.CreateInsertElement(result, marked(code, place, load), lane);
  }
  return result;
}

}  // namespace

Value* load_one(Code& code, const Place& place, Value* index, Value* guard) {
  Value* pointer = address(code, place, index);
  if (guard != nullptr) pointer = code.builder.CreateSelect(guard, pointer, zeros(code));
  auto* load = code.builder.CreateAlignedLoad(storage_type(code, place.dtype), pointer,
                                              alignment(place.dtype));
  return widen(code, marked(code, place, load), place.dtype);
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

Value* lane_address(Code& code, const Place& place, Value* first, uint64_t lane) {
  return code.builder.CreateConstInBoundsGEP1_64(storage_type(code, place.dtype), first, lane);
}

}  // namespace

void prefetch(Code& code, const Place& place, Value* index) {
  constexpr uint64_t kAhead = 2048;  // bytes
  Builder& b = code.builder;
  Value* pointer = b.CreateGEP(b.getInt8Ty(), address(code, place, index), b.getInt64(kAhead));
  // To read, into all caches, of data.
  b.CreateIntrinsic(llvm::Intrinsic::prefetch, {pointer->getType()},
                    {pointer, b.getInt32(0), b.getInt32(3), b.getInt32(1)});
}

Value* load_run(Code& code, const Place& place, Value* index, unsigned lanes, Value* mask) {
  Value* pointer = address(code, place, index);
  llvm::Type* type = with_lanes(storage_type(code, place.dtype), lanes);
  if (mask == nullptr) {
    auto* load = code.builder.CreateAlignedLoad(type, pointer, alignment(place.dtype));
    return widen(code, marked(code, place, load), place.dtype);
  }
  Value* nothing = llvm::Constant::getNullValue(type);
  mask = splat(code, mask, lanes);
  if (const auto lane = only_lane(mask)) {
    Value* one = code.builder.CreateAlignedLoad(storage_type(code, place.dtype),
                                                lane_address(code, place, pointer, *lane),
                                                alignment(place.dtype));
    return widen(code, code.builder.CreateInsertElement(nothing, one, *lane), place.dtype);
  }
  Value* element =
      code.builder.CreateMaskedLoad(type, pointer, alignment(place.dtype), mask, nothing);
  return widen(code, element, place.dtype);
}

Value* gather(Code& code, const Place& place, Value* indices, Value* mask) {
  const unsigned lanes = lanes_of(indices);
  if (mask != nullptr) mask = splat(code, mask, lanes);
  Value* pointers = address(code, place, indices);
  if (place.dtype.bits < 32) {
    return widen(code, gather_by_lane(code, place, pointers, mask), place.dtype);
  }
  llvm::Type* type = with_lanes(storage_type(code, place.dtype), lanes);
  if (mask == nullptr) mask = all_lanes(code, lanes);
  return widen(code,
               code.builder.CreateMaskedGather(type, pointers, alignment(place.dtype), mask,
                                               llvm::Constant::getNullValue(type)),
               place.dtype);
}

void store_one(Code& code, const Place& place, Value* index, Value* value) {
  code.builder.CreateAlignedStore(narrow(code, value, place.dtype), address(code, place, index),
                                  alignment(place.dtype));
}

void store_run(Code& code, const Place& place, Value* index, Value* value, Value* mask) {
  Value* element = narrow(code, value, place.dtype);
  Value* pointer = address(code, place, index);
  if (mask == nullptr) {
    code.builder.CreateAlignedStore(element, pointer, alignment(place.dtype));
  } else if (const auto lane = only_lane(mask)) {
    code.builder.CreateAlignedStore(code.builder.CreateExtractElement(element, *lane),
                                    lane_address(code, place, pointer, *lane),
                                    alignment(place.dtype));
  } else {
    code.builder.CreateMaskedStore(element, pointer, alignment(place.dtype), mask);
  }
}

void scatter(Code& code, const Place& place, Value* indices, Value* value, Value* mask) {
  if (mask == nullptr) mask = all_lanes(code, lanes_of(indices));
  code.builder.CreateMaskedScatter(narrow(code, value, place.dtype), address(code, place, indices),
                                   alignment(place.dtype), mask);
}

}  // namespace ridge::codegen

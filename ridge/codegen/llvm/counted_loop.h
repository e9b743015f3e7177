// The bodies of emit_counted_loop and emit_if (declared in emission.h).
#pragma once

#include "ridge/codegen/llvm/emission.h"

namespace ridge::codegen {

template <class Body>
void emit_counted_loop(Emission& emission, Value* begin, Value* end, int64_t step, Body&& body) {
  Builder& b = emission.builder();
  llvm::Function* function = emission.frame.function;
  llvm::BasicBlock* before = b.GetInsertBlock();
  llvm::BasicBlock* inside = llvm::BasicBlock::Create(b.getContext(), "loop", function);
  llvm::BasicBlock* after = llvm::BasicBlock::Create(b.getContext(), "done", function);
  b.CreateCondBr(b.CreateICmpSLT(begin, end), inside, after);
  b.SetInsertPoint(inside);
  llvm::PHINode* index = b.CreatePHI(b.getInt64Ty(), 2, "i");
  index->addIncoming(begin, before);
  body(index);
  Value* next = b.CreateNSWAdd(index, b.getInt64(static_cast<uint64_t>(step)));
  index->addIncoming(next, b.GetInsertBlock());
  b.CreateCondBr(b.CreateICmpSLT(next, end), inside, after);
  b.SetInsertPoint(after);
}

template <class Body>
void emit_if(Emission& emission, Value* condition, const char* name, Body&& body) {
  if (const auto* known = llvm::dyn_cast<llvm::ConstantInt>(condition)) {
    if (!known->isZero()) body();
    return;
  }
  Builder& b = emission.builder();
  llvm::Function* function = emission.frame.function;
  auto* inside = llvm::BasicBlock::Create(b.getContext(), name, function);
  auto* after = llvm::BasicBlock::Create(b.getContext(), llvm::Twine("end") + name, function);
  b.CreateCondBr(condition, inside, after);
  b.SetInsertPoint(inside);
  body();
  b.CreateBr(after);
  b.SetInsertPoint(after);
}

}  // namespace ridge::codegen

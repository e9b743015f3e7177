#include <llvm/IR/MDBuilder.h>

#include "ridge/codegen/llvm/emission.h"

namespace ridge::codegen {
namespace {

// set_status(status, code): the first one set stays, whichever thread it comes from.
llvm::Function* set_status(Code& code) {
  if (llvm::Function* function = code.module.getFunction("set_status")) return function;
  llvm::Type* word = code.builder.getInt32Ty();
  auto* type =
      llvm::FunctionType::get(code.builder.getVoidTy(), {code.builder.getPtrTy(), word}, false);
  auto* function =
      llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, "set_status", code.module);
  function->addFnAttr(llvm::Attribute::NoInline);
  function->addFnAttr(llvm::Attribute::Cold);
  function->setDoesNotThrow();
  Builder b(llvm::BasicBlock::Create(code.context, "entry", function));
  b.CreateAtomicCmpXchg(function->getArg(0), b.getInt32(0), function->getArg(1), llvm::Align(4),
                        llvm::AtomicOrdering::Monotonic, llvm::AtomicOrdering::Monotonic);
  b.CreateRetVoid();
  return function;
}

}  // namespace

void report(Emission& emission, KernelStatus status, Value* is_wrong, Value* active) {
  Code& code = emission.code;
  Builder& b = emission.builder();
  // A value that is the same for all lanes is wrong only if a lane asks for it.
  if (lanes_of(is_wrong) == 1) {
    if (active != nullptr && lanes_of(active) > 1) active = both(code, active, emission.frame.mask);
    if (active != nullptr) is_wrong = b.CreateAnd(is_wrong, any_lane(code, active));
  } else {
    is_wrong = both(code, is_wrong, both(code, active, emission.frame.mask));
  }
  Value* condition = any_lane(code, is_wrong);
  if (auto* known = llvm::dyn_cast<llvm::ConstantInt>(condition); known && known->isZero()) return;
  auto* rare = llvm::BasicBlock::Create(code.context, "wrong", emission.frame.function);
  auto* after = llvm::BasicBlock::Create(code.context, "right", emission.frame.function);
  b.CreateCondBr(condition, rare, after,
                 llvm::MDBuilder(code.context).createUnlikelyBranchWeights());
  b.SetInsertPoint(rare);
  b.CreateCall(set_status(code),
               {emission.frame.status, b.getInt32(static_cast<uint32_t>(status))});
  b.CreateBr(after);
  b.SetInsertPoint(after);
}

}  // namespace ridge::codegen

#include <string>

#include "ridge/codegen/llvm/code.h"

namespace ridge::codegen {
namespace {

llvm::FunctionCallee scalar_function(Code& code, llvm::StringRef name, llvm::Type* type,
                                     size_t arity) {
  const llvm::SmallVector<llvm::Type*, 2> parameters(arity, type);
  auto callee =
      code.module.getOrInsertFunction(name, llvm::FunctionType::get(type, parameters, false));
  auto* function = llvm::cast<llvm::Function>(callee.getCallee());
  function->setDoesNotThrow();
  function->setDoesNotAccessMemory();  // errno is nobody's business here
  function->setWillReturn();
  return callee;
}

// for (lane = 0; lane < lanes; ++lane) out[lane] = scalar(in0[lane], in1[lane]);
void fill(Code& code, llvm::Function* function, llvm::FunctionCallee scalar, unsigned lanes) {
  llvm::Type* vector = function->getReturnType();
  llvm::Type* element = vector->getScalarType();
  Builder b(llvm::BasicBlock::Create(code.context, "entry", function));
  llvm::SmallVector<Value*, 2> inputs;
  for (llvm::Argument& argument : function->args()) {
    inputs.push_back(b.CreateAlloca(vector));
    b.CreateStore(&argument, inputs.back());
  }
  Value* output = b.CreateAlloca(vector);
  llvm::BasicBlock* before = b.GetInsertBlock();
  llvm::BasicBlock* inside = llvm::BasicBlock::Create(code.context, "loop", function);
  llvm::BasicBlock* after = llvm::BasicBlock::Create(code.context, "done", function);
  b.CreateBr(inside);
  b.SetInsertPoint(inside);
  llvm::PHINode* lane = b.CreatePHI(b.getInt64Ty(), 2);
  lane->addIncoming(b.getInt64(0), before);
  llvm::SmallVector<Value*, 2> args;
  for (Value* input : inputs) {
    args.push_back(b.CreateLoad(element, b.CreateGEP(element, input, lane)));
  }
  b.CreateStore(b.CreateCall(scalar, args), b.CreateGEP(element, output, lane));
  Value* next = b.CreateAdd(lane, b.getInt64(1));
  lane->addIncoming(next, inside);
  b.CreateCondBr(b.CreateICmpULT(next, b.getInt64(lanes)), inside, after);
  b.SetInsertPoint(after);
  b.CreateRet(b.CreateLoad(vector, output));
}

}  // namespace

Value* call_by_lane(Code& code, llvm::StringRef name, llvm::ArrayRef<Value*> args) {
  llvm::Type* type = args[0]->getType();
  const unsigned lanes = lanes_of(args[0]);
  const llvm::FunctionCallee scalar =
      scalar_function(code, name, type->getScalarType(), args.size());
  if (lanes == 1) return code.builder.CreateCall(scalar, args);

  const std::string lane_name = (name + ".x" + llvm::Twine(lanes)).str();
  llvm::Function* function = code.module.getFunction(lane_name);
  if (function == nullptr) {
    const llvm::SmallVector<llvm::Type*, 2> parameters(args.size(), type);
    function = llvm::Function::Create(llvm::FunctionType::get(type, parameters, false),
                                      llvm::GlobalValue::InternalLinkage, lane_name, code.module);
    function->addFnAttr(llvm::Attribute::NoInline);
    function->setDoesNotThrow();
    fill(code, function, scalar, lanes);
  }
  return code.builder.CreateCall(function, args);
}

}  // namespace ridge::codegen

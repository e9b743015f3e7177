#include "ridge/codegen/llvm/generate.h"

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

#include "ridge/base/error.h"
#include "ridge/codegen/llvm/compile.h"
#include "ridge/codegen/llvm/module.h"

namespace ridge::codegen {
namespace {

std::string text_of(const llvm::Module& module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, nullptr);
  return text;
}

void check(const loop::Kernel& kernel) {
  const Decision decision = can_generate(kernel);
  RIDGE_INTERNAL_CHECK(decision.verdict, kernel.name + ": " + decision.reason);
}

// Names of values serve readers of the text only, and cost time.
llvm::LLVMContext& configured(llvm::LLVMContext& context, bool keep_names) {
  context.setDiscardValueNames(!keep_names);
  return context;
}

}  // namespace

Generated generate(const loop::Kernel& kernel, const CpuTarget& target, bool keep_ir) {
  check(kernel);
  llvm::LLVMContext context;
  const auto module = emit_module(configured(context, keep_ir), kernel, target);
  optimize(*module, target);
  Generated result{.object = {}, .symbol = symbol_of(kernel)};
  if (keep_ir) result.ir = text_of(*module);
  result.object = compile(*module, target, Output::object);
  return result;
}

std::string assembly(const loop::Kernel& kernel, const CpuTarget& target) {
  check(kernel);
  llvm::LLVMContext context;
  const auto module = emit_module(configured(context, false), kernel, target);
  optimize(*module, target);
  return compile(*module, target, Output::assembly);
}

Generated generate_from_ir(std::string_view llvm_text, const std::string& symbol,
                           const CpuTarget& target) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic problem;
  const auto module = llvm::parseAssemblyString(llvm::StringRef(llvm_text), problem, context);
  RIDGE_CHECK(
      module != nullptr, .code = ErrorCode::parse, .expected = "a module of LLVM IR",
      .given = problem.getMessage().str() + " in line " + std::to_string(problem.getLineNo()));
  const llvm::Function* function = module->getFunction(symbol);
  RIDGE_CHECK(function != nullptr && !function->isDeclaration(), .code = ErrorCode::parse,
              .expected = "a definition of " + symbol, .given = "a module without it");
  optimize(*module, target);
  Generated result{.object = {}, .symbol = symbol, .ir = text_of(*module)};
  result.object = compile(*module, target, Output::object);
  return result;
}

}  // namespace ridge::codegen

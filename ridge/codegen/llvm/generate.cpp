#include "ridge/codegen/llvm/generate.h"

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

#include <atomic>
#include <cstdlib>

#include "ridge/base/error.h"
#include "ridge/base/large_stack.h"
#include "ridge/base/text.h"
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

// Objects of LLVM's own are destroyed at exit, those of its first use among them: from then on it cannot be
// called. A handler registered after that use runs before their destructors.
std::atomic<bool> has_ended{false};

Generated generate_here(const loop::Kernel& kernel, const CpuTarget& target, bool keep_ir) {
  check(kernel);
  llvm::LLVMContext context;
  const auto module = emit_module(configured(context, keep_ir), kernel, target);
  optimize(*module, target);
  Generated result{.object = {}, .symbol = symbol_of(kernel)};
  if (keep_ir) result.ir = text_of(*module);
  result.object = compile(*module, target, Output::object);
  return result;
}

std::string assembly_here(const loop::Kernel& kernel, const CpuTarget& target) {
  check(kernel);
  llvm::LLVMContext context;
  const auto module = emit_module(configured(context, false), kernel, target);
  optimize(*module, target);
  return compile(*module, target, Output::assembly);
}

Generated generate_from_ir_here(std::string_view llvm_text, const std::string& symbol,
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

// Whatever calls LLVM: on a stack that is large enough for it, which a thread of the user's, or a worker
// under `ulimit -s`, may not have; and not after its own static objects are gone.
template <class Work>
auto by_llvm(std::string_view what, const Work& work) {
  RIDGE_CHECK(!has_ended, .code = ErrorCode::state,
              .expected = "a kernel that is known, while the process ends",
              .given = concat("one to compile, ", what),
              .hint = "in a static destructor or a handler of atexit, call what was called before");
  auto result = on_large_stack(work);
  static const int registered = std::atexit([] { has_ended = true; });
  static_cast<void>(registered);
  return result;
}

}  // namespace

Generated generate(const loop::Kernel& kernel, const CpuTarget& target, bool keep_ir) {
  return by_llvm(kernel.name, [&] { return generate_here(kernel, target, keep_ir); });
}

std::string assembly(const loop::Kernel& kernel, const CpuTarget& target) {
  return by_llvm(kernel.name, [&] { return assembly_here(kernel, target); });
}

Generated generate_from_ir(std::string_view llvm_text, const std::string& symbol,
                           const CpuTarget& target) {
  return by_llvm(symbol, [&] { return generate_from_ir_here(llvm_text, symbol, target); });
}

}  // namespace ridge::codegen

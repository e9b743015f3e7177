#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Verifier.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/Mem2Reg.h>

#include <map>
#include <mutex>

#include "ridge/base/error.h"
#include "ridge/base/knobs.h"
#include "ridge/base/per_thread.h"
#include "ridge/codegen/llvm/module.h"

namespace ridge::codegen {
namespace {

const llvm::Target& host_backend() {
  static const llvm::Target* const backend = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    std::string problem;
    const llvm::Triple triple(llvm::sys::getProcessTriple());
#if LLVM_VERSION_MAJOR >= 22
    const llvm::Target* found = llvm::TargetRegistry::lookupTarget(triple, problem);
#else
    const llvm::Target* found = llvm::TargetRegistry::lookupTarget(triple.str(), problem);
#endif
    RIDGE_INTERNAL_CHECK(found != nullptr, "LLVM was built without this machine: " + problem);
    return found;
  }();
  return *backend;
}

std::unique_ptr<llvm::TargetMachine> make_machine(const CpuTarget& target) {
  llvm::TargetOptions options;
  options.EmulatedTLS = false;
  const llvm::Triple triple(llvm::sys::getProcessTriple());
#if LLVM_VERSION_MAJOR >= 21
  const llvm::Triple& name = triple;
#else
  const std::string name = triple.str();
#endif
  std::unique_ptr<llvm::TargetMachine> machine(host_backend().createTargetMachine(
      name, target.cpu, target.features, options, llvm::Reloc::PIC_, llvm::CodeModel::Small,
      llvm::CodeGenOptLevel::Default, /*JIT=*/true));
  RIDGE_INTERNAL_CHECK(machine != nullptr, "LLVM made no target machine");
  return machine;
}

using Machines =
    std::map<std::pair<std::string, std::string>, std::unique_ptr<llvm::TargetMachine>>;

// A target machine serves one thread at a time.
llvm::TargetMachine& machine_of(const CpuTarget& target) {
  std::unique_ptr<llvm::TargetMachine>& machine =
      per_thread<Machines>()[{target.cpu, target.features}];
  if (machine == nullptr) machine = make_machine(target);
  return *machine;
}

// Vars to registers, the same thing once, what does not change out of loops. The kernel is already
// in the shape we want, so nothing here restructures it.
llvm::FunctionPassManager passes() {
  llvm::FunctionPassManager list;
  list.addPass(llvm::PromotePass());
  list.addPass(llvm::EarlyCSEPass());
  list.addPass(llvm::SimplifyCFGPass());
  list.addPass(llvm::InstCombinePass());
  list.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LICMPass(llvm::LICMOptions()),
                                                     /*UseMemorySSA=*/true));
  list.addPass(llvm::EarlyCSEPass());
  return list;
}

void check(const llvm::Module& module) {
  std::string problem;
  llvm::raw_string_ostream stream(problem);
  RIDGE_INTERNAL_CHECK(!llvm::verifyModule(module, &stream),
                       "the generated module is not valid: " + problem);
}

}  // namespace

void optimize(llvm::Module& module, const CpuTarget& target) {
  llvm::TargetMachine& machine = machine_of(target);
#if LLVM_VERSION_MAJOR >= 21
  module.setTargetTriple(machine.getTargetTriple());
#else
  module.setTargetTriple(machine.getTargetTriple().str());
#endif
  module.setDataLayout(machine.createDataLayout());
  if (knob_int(Knob::verify) > 0) check(module);

  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager graphs;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(graphs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, graphs, modules);
  llvm::FunctionPassManager list = passes();
  for (llvm::Function& function : module) {
    if (!function.isDeclaration()) list.run(function, functions);
  }
}

std::string compile(llvm::Module& module, const CpuTarget& target, Output output) {
  llvm::TargetMachine& machine = machine_of(target);
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager passes;
  const auto kind = output == Output::object ? llvm::CodeGenFileType::ObjectFile
                                             : llvm::CodeGenFileType::AssemblyFile;
  const bool is_refused = machine.addPassesToEmitFile(passes, stream, nullptr, kind,
                                                      /*DisableVerify=*/true);
  RIDGE_INTERNAL_CHECK(!is_refused, "LLVM cannot write this kind of file");
  passes.run(module);
  return {bytes.begin(), bytes.end()};
}

}  // namespace ridge::codegen

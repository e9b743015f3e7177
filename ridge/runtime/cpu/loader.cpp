// The one linker session of the process (ORC with JITLink).
//
// Every kernel gets a library ("JITDylib") of its own, so that two kernels of one name do not meet,
// and one that resolves only against its own object and the imports.
#include "ridge/runtime/cpu/loader.h"

#include <llvm/ExecutionEngine/Orc/Core.h>
#include <llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h>
#if __has_include(<llvm/ExecutionEngine/Orc/SelfExecutorProcessControl.h>)
#include <llvm/ExecutionEngine/Orc/SelfExecutorProcessControl.h>
#else  // LLVM 19 has it there
#include <llvm/ExecutionEngine/Orc/ExecutorProcessControl.h>
#endif
#include <llvm/ExecutionEngine/Orc/TaskDispatch.h>
#include <llvm/Support/MemoryBuffer.h>

#include <array>
#include <atomic>
#include <cmath>
#include <cstring>
#include <utility>

#if __has_include(<llvm/ExecutionEngine/Orc/AbsoluteSymbols.h>)
#include <llvm/ExecutionEngine/Orc/AbsoluteSymbols.h>  // LLVM 19 has it in Core.h
#endif

#include "ridge/base/error.h"
#include "ridge/base/per_thread.h"
#include "ridge/base/text.h"

namespace ridge::runtime {
namespace {

namespace orc = llvm::orc;

std::atomic<size_t> live_kernels{0};

// What the linker has reported on this thread, which says more than the error that lookup returns.
std::string& reported() { return per_thread<std::string, struct ReportedByLinker>(); }

[[noreturn]] void refuse(const std::string& symbol, llvm::Error error) {
  throw_error({.code = ErrorCode::internal,
               .expected = "an object of a kernel that can be linked",
               .given = concat(symbol, ": ", llvm::toString(std::move(error)),
                               std::exchange(reported(), std::string()))});
}

std::unique_ptr<orc::SelfExecutorProcessControl> this_process() {
  // Linking happens on the thread that asks for it: no threads of LLVM's own.
  auto control = orc::SelfExecutorProcessControl::Create(
      nullptr, std::make_unique<orc::InPlaceTaskDispatcher>());
  if (!control) refuse("the linker session", control.takeError());
  return std::move(*control);
}

class Session {
 public:
  // Never destroyed: kernels in static variables may live longer than any static of ours.
  static Session& instance() {
    static Session* const session = new Session();
    return *session;
  }

  orc::JITDylib& add_library() {
    const uint64_t number = library_count_.fetch_add(1, std::memory_order_relaxed);
    orc::JITDylib& library = session_.createBareJITDylib(concat("kernel.", number));
    library.addToLinkOrder(imports_);
    return library;
  }
  void remove(orc::JITDylib& library) { llvm::consumeError(session_.removeJITDylib(library)); }

  llvm::Expected<orc::ExecutorSymbolDef> link(orc::JITDylib& library, std::string_view object,
                                              const std::string& symbol) {
    auto bytes = llvm::MemoryBuffer::getMemBufferCopy(llvm::StringRef(object), symbol);
    if (llvm::Error error = linker_.add(library, std::move(bytes))) return error;
    return session_.lookup(llvm::ArrayRef<orc::JITDylib*>{&library}, symbol);
  }

 private:
  Session()
      : session_(this_process()),
        linker_(session_),
        imports_(session_.createBareJITDylib("imports")) {
    session_.setErrorReporter(
        [](llvm::Error error) { reported() += "; " + llvm::toString(std::move(error)); });
    orc::SymbolMap symbols;
    for (const Import& import : runtime::imports()) {
      symbols[session_.intern(llvm::StringRef(import.name))] = {
          orc::ExecutorAddr::fromPtr(import.address),
          llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
    }
    llvm::cantFail(imports_.define(orc::absoluteSymbols(std::move(symbols))));
  }

  orc::ExecutionSession session_;
  orc::ObjectLinkingLayer linker_;
  orc::JITDylib& imports_;
  std::atomic<uint64_t> library_count_{0};
};

}  // namespace

struct LoadedKernel::Code {
  orc::JITDylib& library;

  explicit Code(orc::JITDylib& its_library) : library(its_library) { ++live_kernels; }
  Code(const Code&) = delete;
  Code& operator=(const Code&) = delete;
  ~Code() {
    Session::instance().remove(library);
    --live_kernels;
  }
};

LoadedKernel::LoadedKernel() = default;
LoadedKernel::~LoadedKernel() = default;

std::shared_ptr<LoadedKernel> LoadedKernel::load(std::string_view object,
                                                 const std::string& symbol) {
  Session& session = Session::instance();
  reported().clear();
  std::shared_ptr<LoadedKernel> kernel(new LoadedKernel());
  kernel->code_ = std::make_unique<Code>(session.add_library());
  auto definition = session.link(kernel->code_->library, object, symbol);
  if (!definition) refuse(symbol, definition.takeError());
  kernel->function_ = definition->getAddress().toPtr<KernelFunction>();
  return kernel;
}

size_t loaded_kernel_count() { return live_kernels.load(); }

namespace {

using Unary = double (*)(double);
using Binary = double (*)(double, double);
using UnaryFloat = float (*)(float);
using BinaryFloat = float (*)(float, float);

// Overloads are chosen by the type of the pointer; a call from generated code uses the same ABI.
template <class Function>
void* address(Function function) {
  return reinterpret_cast<void*>(function);
}

template <class Real>
void sine_and_cosine(Real x, Real* sine, Real* cosine) {
  *sine = std::sin(x);
  *cosine = std::cos(x);
}

}  // namespace

std::span<const Import> imports() {
  static const auto table = std::to_array<Import>({
      // matches: names of libm
      {"exp", address<Unary>(std::exp)},
      {"log", address<Unary>(std::log)},
      {"sin", address<Unary>(std::sin)},
      {"cos", address<Unary>(std::cos)},
      {"tanh", address<Unary>(std::tanh)},
      {"erf", address<Unary>(std::erf)},
      {"floor", address<Unary>(std::floor)},
      {"ceil", address<Unary>(std::ceil)},
      {"trunc", address<Unary>(std::trunc)},
      {"rint", address<Unary>(std::rint)},
      {"pow", address<Binary>(std::pow)},
      {"fmod", address<Binary>(std::fmod)},
      {"sinf", address<UnaryFloat>(std::sin)},
      {"cosf", address<UnaryFloat>(std::cos)},
      {"floorf", address<UnaryFloat>(std::floor)},
      {"ceilf", address<UnaryFloat>(std::ceil)},
      {"truncf", address<UnaryFloat>(std::trunc)},
      {"rintf", address<UnaryFloat>(std::rint)},
      {"powf", address<BinaryFloat>(std::pow)},
      {"fmodf", address<BinaryFloat>(std::fmod)},
      {"fma", address<double (*)(double, double, double)>(std::fma)},
      {"fmaf", address<float (*)(float, float, float)>(std::fma)},
      {"sincos", address(&sine_and_cosine<double>)},
      {"sincosf", address(&sine_and_cosine<float>)},
      {"memcpy", address(&std::memcpy)},
      {"memset", address(&std::memset)},
      {"memmove", address(&std::memmove)},
  });
  return table;
}

}  // namespace ridge::runtime

#include "tests/unit/codegen/cuda/nvrtc.h"

#include <dlfcn.h>

#include <array>

namespace ridge::codegen {
namespace {

void* library() {
  static void* const handle = [] {
    for (const char* name :
         {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so", "/usr/local/cuda/lib64/libnvrtc.so"}) {
      if (void* const found = dlopen(name, RTLD_NOW | RTLD_LOCAL)) return found;
    }
    return static_cast<void*>(nullptr);
  }();
  return handle;
}

template <class Signature>
Signature* function(const char* name) {
  return reinterpret_cast<Signature*>(dlsym(library(), name));
}

}  // namespace

bool has_nvrtc() { return library() != nullptr; }

Compiled compile_cuda(const std::string& source, const std::string& arch) {
  using Program = void*;
  const auto create = function<int(Program*, const char*, const char*, int, const char* const*,
                                   const char* const*)>("nvrtcCreateProgram");
  const auto compile = function<int(Program, int, const char* const*)>("nvrtcCompileProgram");
  const auto log_size = function<int(Program, size_t*)>("nvrtcGetProgramLogSize");
  const auto get_log = function<int(Program, char*)>("nvrtcGetProgramLog");
  const auto destroy = function<int(Program*)>("nvrtcDestroyProgram");
  Compiled result;
  Program program = nullptr;
  if (create(&program, source.c_str(), "kernel.cu", 0, nullptr, nullptr) != 0) return result;
  const std::string arch_option = "-arch=" + arch;
  const std::array options = {arch_option.c_str(), "--std=c++20", "--ptxas-options=-v"};
  result.is_ok = compile(program, static_cast<int>(options.size()), options.data()) == 0;
  size_t size = 0;
  log_size(program, &size);
  result.log.resize(size);
  if (size > 0) get_log(program, result.log.data());
  destroy(&program);
  return result;
}

}  // namespace ridge::codegen

// Compiles CUDA text through NVRTC, if it is there: cubins need neither a GPU nor a driver.
#pragma once

#include <string>

namespace ridge::codegen {

struct Compiled {
  bool is_ok = false;
  std::string log;  // of the compiler and of ptxas: registers, stack frames, spills
};

bool has_nvrtc();
// `arch` as NVRTC writes it: sm_90a.
Compiled compile_cuda(const std::string& source, const std::string& arch);

}  // namespace ridge::codegen

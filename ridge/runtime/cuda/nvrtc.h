// CUDA C++ text in, machine code for one architecture out, through NVRTC.
//
//   CompiledCuda code = compile_cuda("extern \"C\" __global__ void k(float* x) { x[0] = 1; }",
//                                    {.name = "k", .arch = "sm_90a", .want_usage = true});
//   code.cubin            for Module::load
//   code.usage[0]         k: 8 registers, no shared memory, no spills
//
// Needs the NVRTC library (of a toolkit, or the one that RIDGE_NVRTC names, such as that of the
// nvidia-cuda-nvrtc package) but no driver and no GPU, so continuous integration compiles what it
// cannot run. Safe from any thread; several compile at once.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ridge/runtime/cuda/cubin.h"
#include "ridge/runtime/cuda/shared_library.h"

namespace ridge::runtime::cuda {

struct CudaHeader {
  std::string name;  // as #include says it
  std::string text;
};

struct NvrtcOptions {
  std::string name = "kernel";         // the kernel's, for errors; the file is called <name>.cu
  std::string arch{};                  // "sm_90a", "sm_80", ...
  std::vector<std::string> options{};  // passed on: "--use_fast_math", ...
  std::vector<CudaHeader> headers{};   // given in memory, no file needed
  std::vector<std::string> include_directories{};  // for headers of the toolkit
  // The text needs no header, texture or function of the CUDA runtime: what declares them is not read.
  bool is_self_contained = false;
  bool want_ptx = false;
  bool want_usage = false;  // registers, shared memory and spills of each kernel
};

struct CompiledCuda {
  std::string cubin;
  std::string ptx;                   // if wanted
  std::string log;                   // warnings, and what ptxas said
  std::vector<ResourceUsage> usage;  // if wanted
  double compile_us = 0;
};

// Error{internal} if the text does not compile: given() is the log, several lines of it, and hint()
// shows how the source begins. Error{device} if NVRTC is not there. Error{value} if the name of the
// architecture is none, or not one this NVRTC knows.
CompiledCuda compile_cuda(const std::string& source, const NvrtcOptions& options);

struct NvrtcAvailability {
  bool is_available = false;
  std::string reason{};  // why not; one line
  int version = 0;       // 13000 is 13.0
};
const NvrtcAvailability& nvrtc_availability() noexcept;

LibrarySearch nvrtc_search();

}  // namespace ridge::runtime::cuda

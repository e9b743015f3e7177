// Machine code for the CPU: a loop kernel in, the bytes of an object file out.
//
//   kernel add_1(x: f32 in, y: f32 in, out: f32 out; n) {        object bytes with one function
//     for i0 in n @vector { ... out[i0] = v0 }             ->    void add_1(void** buffers,
//   }                                                              const int64_t* sizes, ...)
//
// What comes out follows core/kernel_abi.h: no absolute address, and no import that is not listed
// in runtime/cpu/loader.h. The same kernel and target always give the same bytes. A kernel may be
// generated on any thread; nothing is shared but caches behind a lock.
#pragma once

#include <string>
#include <string_view>

#include "ridge/base/decision.h"
#include "ridge/loop/loop.h"

namespace ridge::codegen {

struct CpuTarget {
  std::string cpu;       // as LLVM names it: icelake-server
  std::string features;  // as LLVM writes them: +avx2,+fma,...
  int vector_bytes = 16;
};
// The machine we run on: 64-byte vectors with AVX-512, 32 with AVX2 and FMA, else 16.
const CpuTarget& host_target();

struct Generated {
  std::string object;
  std::string symbol;
  std::string ir{};  // LLVM's text, if asked for
};

// No, with the reason, for a kernel whose mapping or types this generator does not know.
Decision can_generate(const loop::Kernel& kernel);

// Error{internal} unless can_generate.
Generated generate(const loop::Kernel& kernel, const CpuTarget& target, bool keep_ir = false);
std::string assembly(const loop::Kernel& kernel, const CpuTarget& target);

// The object of LLVM text, as `generate` keeps it and a user may have edited it (RIDGE_OVERRIDE).
// Error{parse} if it is no LLVM module or does not define `symbol`.
Generated generate_from_ir(std::string_view llvm_text, const std::string& symbol,
                           const CpuTarget& target);

}  // namespace ridge::codegen

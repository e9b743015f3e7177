// What tests ask of NVRTC: that it is there, and that it has nothing to say against a kernel.
//
//   RIDGE_NEEDS_NVRTC();
//   EXPECT_EQ(complaints(compile_cuda(source, {.arch = "sm_90a", .want_usage = true}).log), "");
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "ridge/base/knobs.h"
#include "ridge/runtime/cuda/nvrtc.h"

// Skips with one line where there is no NVRTC. Where RIDGE_NVRTC names one, as .ci/run does, a
// missing one fails: otherwise nobody would notice that nothing was compiled.
#define RIDGE_NEEDS_NVRTC()                                                       \
  if (const auto& found_nvrtc = ::ridge::runtime::cuda::nvrtc_availability();     \
      !found_nvrtc.is_available) {                                                \
    if (::ridge::is_knob_set(::ridge::Knob::nvrtc)) FAIL() << found_nvrtc.reason; \
    GTEST_SKIP() << found_nvrtc.reason;                                           \
  }

namespace ridge::runtime::cuda {

// The lines of a log, made with want_usage, that tell of warnings (those of the assembler have
// numbers such as C7510), stack frames or spills, of the kernel and of functions it calls. A kernel
// that keeps values in local memory runs, slowly.
inline std::string complaints(std::string_view log, bool may_have_frame = false) {
  constexpr std::string_view none =
      "0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads";
  std::string found;
  while (!log.empty()) {
    const size_t end = std::min(log.find('\n'), log.size());
    const std::string_view line = log.substr(0, end);
    log.remove_prefix(std::min(end + 1, log.size()));
    const size_t at = line.find(none);
    // "10 bytes" ends like "0 bytes".
    const bool is_clean = at != line.npos && (at == 0 || line[at - 1] == ' ');
    const bool has_frame = line.find("bytes stack frame") != line.npos && !is_clean;
    // The mean of no elements is 0 / 0, and means it.
    const bool is_meant = line.find("division by zero") != line.npos;
    const bool warns = (line.find("warning") != line.npos && line.find("Remark") != 0) ||
                       line.find("(C7") != line.npos;
    if ((warns && !is_meant) || (has_frame && !may_have_frame)) found += std::string(line) + "\n";
  }
  return found;
}

// Of a source of one kernel.
inline void expect_registers_only(const std::string& source, const std::string& arch) {
  const CompiledCuda compiled = compile_cuda(source, {.arch = arch, .want_usage = true});
  EXPECT_EQ(compiled.usage.size(), 1u) << compiled.log;
  EXPECT_EQ(complaints(compiled.log), "") << source;
}

}  // namespace ridge::runtime::cuda

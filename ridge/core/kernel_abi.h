// What generated CPU kernels and the runtime agree on.
//
//   extern "C" void kernel(void** buffers, const int64_t* sizes, KernelRuntime* runtime, int32_t* status);
//
// `buffers` are the global buffers of the loop kernel in order, `sizes` its params. A kernel holds
// no absolute address; what it calls is reached through `KernelRuntime` or is one of the imports that
// runtime/cpu/imports.h lists. It never throws: what goes wrong sets *status.
#pragma once

#include <cstdint>

namespace ridge {

struct KernelRuntime;

// Work on tasks begin .. end-1; `context` is the kernel's own.
using TaskRange = void (*)(void* context, int64_t begin, int64_t end);

struct KernelRuntime {
  // Runs tasks 0 .. count-1, at least `grain` of them in one range, and returns when all are done.
  void (*parallel)(KernelRuntime* self, int64_t count, int64_t grain, TaskRange run, void* context);
};

// Values of *status; the first one set stays.
enum class KernelStatus : int32_t {
  ok = 0,
  index_out_of_range,
  division_by_zero,
  negative_exponent
};

using KernelFunction = void (*)(void** buffers, const int64_t* sizes, KernelRuntime* runtime,
                                int32_t* status);

}  // namespace ridge

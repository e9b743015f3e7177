// What generated kernels and the runtime agree on. On a CPU:
//
//   extern "C" void kernel(void** buffers, const int64_t* sizes, KernelRuntime* runtime, int32_t* status);
//
// `buffers` are the global buffers of the loop kernel in order, `sizes` its params. A kernel holds
// no absolute address; what it calls is reached through `KernelRuntime` or is one of the imports that
// runtime/cpu/loader.h lists. It never throws: what goes wrong sets *status.
#pragma once

#include <cstdint>
#include <vector>

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

// Shared memory that a kernel of a GPU may declare. More is dynamic, and asked for at the launch.
inline constexpr int64_t kDeclaredSharedBytes = 48 * 1024;

// A kernel of a GPU that computes many calls in one launch, its entries, each with buffers and params of its own. Its
// first argument, by value, is a table of them:
//
//   struct Entries {             // laid out by core/batch_layout.h
//     float* p[150];             // by entry: a buffer of its own,
//     int n[150];                // a param,
//     int first_block[150];      // and where its blocks begin in the grid
//   };
//
// Buffers that all entries share are ordinary arguments.
struct CudaBatch {
  int entries = 0;                // how many; 0: an ordinary kernel
  std::vector<bool> is_common{};  // by buffer: the same in all of them
};

}  // namespace ridge

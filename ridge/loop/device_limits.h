// What a GPU has of each resource: one definition for scheduling, prices and code generation.
//
//   cost::device_limits(sheet)     of a device, from the figures of its sheet (cost/sheet.h), in which the linker has
//                                  put what the driver says where the two differ (linker/driver_figures.h)
//   limits_of_arch(90)             what the compute capability alone says, for text that is for no device
//   kCudaLimits                    where nothing else is known
//
// The first group below is the same for all GPUs of NVIDIA since sm_70: kernels are laid out by it, so it is used
// as constants. Sheets state some of it, and a device whose driver says otherwise is refused.
#pragma once

#include <algorithm>
#include <cstdint>

#include "ridge/loop/loop.h"

namespace ridge::loop {

struct DeviceLimits {
  int64_t warp_size = kWarpSize;
  int64_t max_threads_per_block = 1024;
  int64_t max_registers_per_thread = 255;
  int64_t reserved_shared_bytes = 1024;  // of each block, taken by the system
  int64_t line_bytes = 128;              // of the first-level cache
  int64_t sector_bytes = 32;             // that one transaction moves
  int64_t vector_bytes = 16;             // that one instruction loads or stores at most
  int64_t banks = 32;                    // of shared memory,
  int64_t bank_bytes = 4;                // so many bytes each
  int64_t argument_bytes = 32764;        // of a kernel
  int64_t register_step = 8;             // registers of a thread are allocated in multiples of it

  // From the sheet.
  int64_t arch = 0;  // compute capability times ten; 0: not known
  int64_t sms = 1;
  int64_t registers_per_sm = 65536;  // of 32 bits
  int64_t shared_bytes = 0;          // of an SM
  int64_t cluster_blocks = 1;        // most blocks of a cluster; 1: the GPU has no clusters
  int64_t clustered_sms = 1;         // that clusters can occupy at a time, one block on each
  int64_t threads_per_sm = 2048;
  int64_t blocks_per_sm = 32;

  // Shared memory that one block can have.
  int64_t block_shared_bytes() const {
    return std::max<int64_t>(0, shared_bytes - reserved_shared_bytes);
  }
  // That each of so many threads on an SM may have: a warp takes them in steps.
  int64_t registers_per_thread(int64_t threads) const {
    return std::min(max_registers_per_thread,
                    registers_per_sm / threads / register_step * register_step);
  }

  bool operator==(const DeviceLimits&) const = default;
};

inline constexpr DeviceLimits kCudaLimits{};

// By compute capability times ten, as the CUDA C++ Programming Guide has them.
constexpr DeviceLimits limits_of_arch(int arch) {
  DeviceLimits limits;
  limits.arch = arch;
  const bool is_small = arch == 86 || arch == 89 || arch >= 120;
  const bool is_ampere = arch == 80 || arch == 87;
  limits.shared_bytes = (is_small ? 100 : is_ampere ? 164 : 228) * 1024;
  limits.cluster_blocks = arch >= 90 ? 8 : 1;
  limits.threads_per_sm = is_small || arch == 87 ? 1536 : 2048;
  limits.blocks_per_sm = arch == 86 || arch == 87 ? 16 : arch == 89 || arch >= 120 ? 24 : 32;
  return limits;
}

}  // namespace ridge::loop

// What a GPU has of each resource: one definition for scheduling, prices and code generation.
//
// Members without a figure in the device sheet are the same for all GPUs of NVIDIA since sm_70, and
// code generation relies on them (kCudaLimits). The others are made from the sheet: cost/sheet.h.
#pragma once

#include <cstdint>

#include "ridge/loop/loop.h"

namespace ridge::loop {

struct DeviceLimits {
  int64_t warp_size = kWarpSize;
  int64_t max_threads_per_block = 1024;
  int64_t registers_per_sm = 65536;  // of 32 bits
  int64_t max_registers_per_thread = 255;
  int64_t reserved_shared_bytes = 1024;  // of each block, taken by the system
  int64_t line_bytes = 128;              // of the first-level cache
  int64_t sector_bytes = 32;             // that one transaction moves
  int64_t vector_bytes = 16;             // that one instruction loads or stores at most

  // From the sheet.
  int64_t sms = 1;
  int64_t shared_bytes = 0;    // of an SM
  int64_t cluster_blocks = 1;  // most blocks of a cluster; 1: the GPU has no clusters
  int64_t clustered_sms = 1;   // that clusters can occupy at a time, one block on each
};

inline constexpr DeviceLimits kCudaLimits{};

// Shared memory that one block can have, by compute capability times ten: code generation knows a device by
// this alone.
constexpr int64_t block_shared_bytes(int arch) { return (arch >= 120 ? 99 : 227) * 1024; }

}  // namespace ridge::loop

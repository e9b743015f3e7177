// What a kernel asks of each part of a GPU: a part of price_gpu.cpp.
#pragma once

#include "ridge/cost/gpu_arithmetic.h"

namespace ridge::cost {

struct GpuWork {
  double read = 0, written = 0;  // bytes from and to memory
  double l2 = 0;                 // bytes between the units and the second-level cache
  double transactions = 0;       // bytes in whole sectors of each warp's accesses
  double issued = 0;             // bytes of all loads and stores
  double shared = 0;             // bytes to and from shared memory, shuffles included
  double barriers = 0;           // of all threads
  double in_flight = 0;          // bytes that one thread waits for at a time
  GpuArithmetic arithmetic;
};

struct GpuCaches {
  double l1_bytes = 0, l2_bytes = 0, sector = 32;
  double resident = 0;  // bytes that are touched between two launches
  double units = 1, blocks_on_a_unit = 1;
};

GpuWork gpu_work(const KernelNest& nest, const GpuCaches& gpu);

// Threads of a block, by the loops of the kernel.
double threads_in(const Nest& nest);

}  // namespace ridge::cost

// What a kernel asks of each part of a GPU: a part of price_gpu.cpp.
#pragma once

#include "ridge/cost/gpu_arithmetic.h"

namespace ridge::cost {

struct GpuWork {
  double read = 0, written = 0;  // bytes from and to memory
  double l2 = 0,
         l2_stored = 0;      // bytes that SMs load from L2, and store to it
  double transactions = 0;   // bytes in whole sectors of each warp's accesses
  double issued = 0;         // bytes of all loads and stores
  double shared = 0;         // bytes to and from shared memory, shuffles included
  double near = 0;           // bytes of the lines that each warp's accesses reach into
  double load_waits = 0;     // seconds that a block waits for memory, by itself
  double waits = 0;          // seconds that it waits in all: for others of it too
  bool has_product = false;  // which is divided among blocks as it is generated
  GpuArithmetic arithmetic;
};

// Seconds until an answer is there.
struct GpuWaits {
  double l1 = 0, l2 = 0, dram = 0;  // of a load, by where it is found
  double shuffle = 0, barrier = 0, cluster_barrier = 0;
};

struct GpuCaches {
  double l1_bytes = 0, l2_bytes = 0, sector = 32, line = 128;
  double resident = 0;  // bytes that are touched between two launches
  double sms = 1, blocks_per_sm = 1, block_threads = 1;
  GpuWaits waits{};
};

GpuWork gpu_work(const KernelNest& nest, const GpuCaches& gpu);

// Threads of a block, by the loops of the kernel.
double threads_in(const Nest& nest);

}  // namespace ridge::cost

// The work of each part of a GPU for one kernel, in bytes and seconds: a part of price_gpu.cpp.
#pragma once

#include <vector>

#include "ridge/cost/gpu_arithmetic.h"
#include "ridge/cost/nest.h"

namespace ridge::cost {

struct GpuWork {
  double read = 0, written = 0;  // bytes from and to memory
  double l2 = 0,
         l2_stored = 0;      // bytes that SMs load from L2, and store to it
  double transactions = 0;   // bytes in whole sectors of each warp's accesses
  double issued = 0;         // bytes of all loads and stores
  double shared = 0;         // bytes to and from shared memory, shuffles included
  double l1_line_bytes = 0;  // bytes of the lines that each warp's accesses reach into
  double load_waits = 0;     // seconds that a block waits for memory, by itself
  double waits = 0;          // seconds that it waits in all: for others of it too
  bool has_product = false;  // which is divided among blocks as it is generated
  GpuArithmetic arithmetic;
};

// Seconds until an answer is there.
struct GpuLatencies {
  double l1 = 0, l2 = 0, dram = 0;  // of a load, by where it is found
  double shuffle = 0, barrier = 0, cluster_barrier = 0;
};

struct GpuCaches {
  double l1_bytes = 0, l2_bytes = 0, sector = 32, line = 128;
  double resident = 0;  // bytes that are touched between two launches
  double sms = 1, blocks_per_sm = 1, block_threads = 1;
  GpuLatencies latencies{};
};

GpuWork gpu_work(const KernelNest& nest, const GpuCaches& gpu);

// Threads of a block, by the loops of the kernel.
double threads_in(const Nest& nest);

// How a warp reaches memory: a part of price_gpu.cpp.
//
//   x[256 * i0 + i1], f32, i1 the thread     4 sectors of 32 bytes for each 32 elements
//   16 bytes a thread, one after the other   16 sectors for each 128 elements

// Where a statement stands among the threads.
struct ThreadPlace {
  struct Lanes {
    int axis;
    double trips;
  };
  std::vector<Lanes> lanes;  // axes that threads of a block differ in, the fastest last
  int vector_axis = -1;      // that one thread computes at once
  double vector_trips = 1;
  double serial_trips = 1;  // of the loops of a thread around
};

// Bytes in whole sectors that a warp moves, on average, for one element of each of its lanes.
double warp_bytes(const MemoryAccess& access, const ThreadPlace& place, double sector);
// The same of a store, which nothing collects: where a thread has more than one instruction takes,
// each of them writes a part of its sectors.
double store_bytes(const MemoryAccess& access, const ThreadPlace& place, double sector);
// Elements a thread takes with one instruction.
double width_of(const MemoryAccess& access, const ThreadPlace& place);

}  // namespace ridge::cost

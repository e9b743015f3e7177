// How a warp reaches memory: a part of price_gpu.cpp.
//
//   x[256 * i0 + i1], f32, i1 the thread     4 sectors of 32 bytes for each 32 elements
//   16 bytes a thread, one after the other   16 sectors for each 128 elements
#pragma once

#include <vector>

#include "ridge/cost/nest.h"

namespace ridge::cost {

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

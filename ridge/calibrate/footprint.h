// How much memory probes touch: pure arithmetic on the shape of a CPU, so that machines that are
// not there can be tested.
//
// Caches of a core are filled to half by the threads that share it, those of all cores by all
// threads together; memory is what lies beyond every cache, also when each thread has a part only.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ridge/calibrate/cpu_shape.h"

namespace ridge::calibrate {

// One level, worked on by some threads, each in lines of its own.
struct Footprint {
  std::string level;  // l1, l2, l3, dram
  int64_t tasks = 1;
  int64_t lines = 1;           // of each task; a gather looks up one element of each
  int64_t floats = 0;          // of each task: whole lines
  int64_t repeats = 1;         // long enough for the clock
  int64_t gather_repeats = 1;  // of all lookups

  int64_t all_floats() const { return floats * tasks; }
};

// Every level by one thread, and by all where there are several.
std::vector<Footprint> memory_footprints(const CpuShape& shape);
// Floats that each of the two arrays of these probes needs.
int64_t floats_for(const std::vector<Footprint>& footprints);

// Elements of each task of arithmetic probes: in the first-level cache.
inline constexpr int64_t kArithmeticElements = 1024;
// Of each task of the probe of handing out tasks: some microseconds.
inline constexpr int64_t kWorkElements = 8192;
// Rows of the probe of loops, each a vector long.
inline constexpr int64_t kLoopRows = 256;

int64_t arithmetic_floats(const CpuShape& shape);  // that all tasks write
int64_t overhead_floats(const CpuShape& shape);    // that all tasks write, or all rows have
// Tasks of the probe of products: the same number for every thread, and enough of them to be one
// product of some size.
int64_t product_tasks(const CpuShape& shape);
// Threads that can work on a quarter of the last-level cache and still have more than their own.
int64_t capacity_tasks(const CpuShape& shape);

}  // namespace ridge::calibrate

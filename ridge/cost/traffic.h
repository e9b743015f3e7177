// Which bytes of a kernel miss a cache of some size.
//
//   std::vector<double> missed = miss_bytes(nest, {.capacity = 48e3, .line = 64});
//
// One number for each access, in the order they stand in the kernel (`accesses_of`): bytes in a
// whole launch, in lines. The rule is that of reuse distance: what a loop's body touches stays for
// the next iteration if all that one iteration touches fits. Then the loop brings in the distinct
// lines of its accesses once, and the first of several accesses to one buffer pays for what they share
// (distinct_bytes.h). Otherwise every iteration pays again. A launch that follows another one on the same data
// misses nothing where all of it fits. Shared and local buffers are no part of memory: they miss
// nothing, and only `accesses_of` counts them.
#pragma once

#include <vector>

#include "ridge/cost/nest.h"

namespace ridge::cost {

struct CacheLevel {
  double capacity;  // bytes one worker has of it
  double line = 64;
  // Bytes after which places in memory share a set of the cache; 0 where addresses are hashed.
  double way = 0;
  double resident = 0;  // bytes that are touched between two launches, for one worker; 0: the
                        // kernel's own
  // Blocks that share it on a GPU: each has its own part of what moves along the grid, the rest is
  // shared by all.
  double blocks = 1;
  // The cache of one SM. Which blocks run there is not known, so they reuse only what all blocks read.
  bool is_per_sm = false;
  bool holds_stores = true;  // false: write-through, no allocation
};

std::vector<double> miss_bytes(const KernelNest& nest, const CacheLevel& level);

// Distinct bytes of all buffers that one launch touches, read and written.
struct Compulsory {
  double read = 0, written = 0;
  double footprint = 0;  // both, each buffer once
};
Compulsory compulsory_bytes(const KernelNest& nest);

// An access with what runs around it.
struct PlacedAccess {
  const MemoryAccess* access;
  double executions;  // in a launch
};
std::vector<PlacedAccess> accesses_of(const KernelNest& nest);

}  // namespace ridge::cost

// Which bytes a kernel brings in past a cache of some size.
//
//   std::vector<double> missed = bytes_past(nest, {.capacity = 48e3, .line = 64});
//
// One number for each access, in the order they stand in the kernel (`accesses_of`): bytes in a
// whole launch, in lines. The rule is that of reuse distance: what a loop's body touches stays for
// the next iteration if all that one iteration touches fits. Then the loop brings in the distinct
// lines of its accesses once, and what several accesses to one buffer share (touched.h) is paid by
// the first; else every iteration pays again. A launch that follows another one on the same data, of
// which all fits, brings in nothing. Shared and local buffers are no part of memory: they bring in
// nothing, and are in no count here but `accesses_of`.
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
  // Blocks of a GPU that run beside each other in it: each has its own part of what moves along the
  // grid, and all have the rest together.
  double blocks = 1;
  // Of one unit of a GPU: which blocks it gets is not known, so that they find nothing of each other's
  // but what all of them read.
  bool is_of_unit = false;
  bool holds_stores = true;  // else what is written goes past it
};

std::vector<double> bytes_past(const KernelNest& nest, const CacheLevel& level);

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

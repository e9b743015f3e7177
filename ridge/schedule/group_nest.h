// A group as the loops it will become, in numbers: an estimate of what cpu_loops and gpu_loops make of it,
// before they do.
//
//   softmax of x[n, m] on a CPU:  thread n { vector m {...} vector m {...} vector m {...} }
//   on a GPU:                     grid n { block m {...} ... }, a block for each row
//   sum of x[n, m] over n there:  block m { serial n {...} }, a thread for each column
#pragma once

#include <vector>

#include "ridge/cost/nest.h"
#include "ridge/cost/sheet.h"
#include "ridge/schedule/emitter.h"
#include "ridge/schedule/fuse.h"
#include "ridge/schedule/plan.h"

namespace ridge::schedule {

// Roots that read a value, by value.
using Readers = std::vector<std::vector<int32_t>>;
Readers readers_of(const InlinedGraph& program);

// How many kernels of a GPU a group will be, and of how many blocks: by the rules of gpu_split_reduction.h, for
// values that are row-major.
struct GroupKernels {
  bool is_thread_per_column = false;
  double blocks = 0;       // of a kernel that reads everything; 0: one for each row
  double count = 1;        // of kernels
  double threads = 0;      // of a persistent block, else 0
  double row_threads = 0;  // of a block, along one row, where several rows share it; 0: all
  // In registers or shared memory of clusters, whatever their length.
  bool keeps_rows_on_chip = false;
  double partial_bytes = 0;  // of column sums that persistent blocks leave
};

// Everything row-major, each value in a buffer of its own.
ValueLocations plain_locations(const Graph& graph);

GroupKernels kernels_of(const InlinedGraph& program, const Group& group,
                        const ValueLocations& plain, const cost::Sheet& sheet);

// Kernels that only combine partial results are small, and not in it.
cost::KernelNest group_nest(const InlinedGraph& program, const Group& group, const Readers& readers,
                            Target target, const GroupKernels& kernels = {});

}  // namespace ridge::schedule

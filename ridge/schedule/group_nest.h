// A group as the loops it will become, in numbers: what cpu_loops and gpu_loops make of it, guessed
// before they do.
//
//   softmax of x[n, m] on a CPU:  thread n { vector m {...} vector m {...} vector m {...} }
//   on a GPU:                     grid n { block m {...} ... }, a block for each row
//   sum of x[n, m] over n there:  block m { serial n {...} }, threads across columns
#pragma once

#include "ridge/cost/nest.h"
#include "ridge/schedule/group_stages.h"
#include "ridge/schedule/plan.h"

namespace ridge::schedule {

// Roots that read a value, by value.
using Readers = std::vector<std::vector<int32_t>>;
Readers readers_of(const InlinedGraph& program);

// `stages`: of a GPU. What further kernels combine is little, and not in it.
cost::KernelNest group_nest(const InlinedGraph& program, const Group& group, const Readers& readers,
                            Target target, const GroupStages& stages = {});

}  // namespace ridge::schedule

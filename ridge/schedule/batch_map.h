// A map over dense arrays of one length, as a kernel over that length: what equal maps of tensors of
// different sizes have in common.
//
//   p[3, 5] -= 0.1 * g[3, 5]  and  p[1000] -= 0.1 * g[1000]     both  p[i] -= 0.1 * g[i], i in n
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ridge/schedule/loops.h"
#include "ridge/schedule/memory_plan.h"

namespace ridge::schedule {

struct BatchMap {
  loop::Kernel point;        // what happens at one element, in a loop over them
  std::string text;          // of it: equal for maps of one kernel
  std::vector<int> buffers;  // planned ones, in the order of the kernel's
  int64_t count;             // of elements
};

// Nothing for what is no such map: another kind of group, an array that is transposed, sliced, gathered
// or repeated (but for single elements), an unknown length.
std::optional<BatchMap> find_batch_map(const LoopInput& input);

// The kernel of a map, over one param: how many elements there are. On a GPU each thread takes 16 bytes
// of the widest array; the last block's first threads take the elements that are left over, one each. On
// a CPU threads take chunks. What a kernel does to the first n elements of longer arrays is what it does
// to arrays of n, so a launch may cut an entry anywhere.
loop::Kernel gpu_batch_kernel(const loop::Kernel& point);
loop::Kernel cpu_batch_kernel(const loop::Kernel& point);

// The maps of a program that may be batched (batch.h), by group.
//
// Nothing for a group that is no such map, or the only one of its ops.
using BatchMaps = std::vector<std::optional<BatchMap>>;

// `input_of` gives nothing for groups without a kernel.
BatchMaps find_batch_maps(const InlinedGraph& program, const Fusion& fusion,
                          const std::function<std::optional<LoopInput>(const Group&)>& input_of);

// After memory was planned again, for batches: the buffers as they are now. A group whose values do not
// lie as they did leaves its batch, since its kernel is another one.
void move_buffers(const InlinedGraph& program, Fusion& fusion, BatchMaps& maps,
                  const MemoryPlan& before, const MemoryPlan& now);

}  // namespace ridge::schedule

// Memory for the values of a program: what is stored at all, where, and for how long.
#pragma once

#include <map>

#include "ridge/core/arena.h"
#include "ridge/schedule/library_products.h"
#include "ridge/schedule/loops.h"
#include "ridge/schedule/plan.h"

namespace ridge::schedule {

struct MemoryPlan {
  ValueLocations locations;
  std::vector<bool> is_stored;  // by value: some kernel writes it
  std::vector<PlannedBuffer> buffers;
  std::vector<int> outputs;
  // Updates that no kernel can write in place: copied when all kernels have run.
  struct Copy {
    int from, to;  // buffers
    Shape from_strides, to_strides;
    ValueId value;
  };
  std::vector<Copy> copies;
  // Inputs whose parts cannot be written before the end (write_in_place in node_definition.h). Of no use with any in it.
  std::vector<ValueId> refused;
  // Scatters into narrow elements sum in f32 here, and round once; by node.
  std::map<int32_t, int> scratch;
  ArenaPlan arena;
  int64_t arena_bytes = 0;  // of sizes as expected, like the offsets
  // What kernels of one group hand to each other lies behind the arena; no two groups run at the same
  // time, so all share it.
  int64_t scratch_bytes = 0;

  // `value`: what the group is there for.
  void add_scratch(ValueId value, const std::vector<ScratchBuffer>& scratch_buffers);
};

// `strides`: of temporaries that are not row-major.
MemoryPlan plan_memory(const InlinedGraph& program, const Fusion& fusion, const Options& options,
                       const ValueStrides& strides);

}  // namespace ridge::schedule

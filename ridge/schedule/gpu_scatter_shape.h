// How the threads of a GPU share a scatter: columns go to threads, slots to blocks.
#pragma once

#include "ridge/schedule/loops.h"
#include "ridge/schedule/scatter_targets.h"

namespace ridge::schedule {

struct ScatterShape {
  Size columns, slots, points;  // of the result, of one column, and of the index
  int64_t width = 1;            // neighboring columns that a thread takes
  int64_t threads = 0;          // of a block
  int64_t owners = 1;           // blocks that share the slots of the same columns

  Size slots_of_owner() const { return divided_up(slots, owners); }
};

ScatterShape scatter_shape(const LoopInput& input, const NodeDefinition& node_definition,
                           const ScatterTargets& targets);

}  // namespace ridge::schedule

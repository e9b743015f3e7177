// The maps of a program that may be batched (batch.h), by group.
#pragma once

#include <functional>

#include "ridge/schedule/batch_map.h"
#include "ridge/schedule/memory.h"

namespace ridge::schedule {

// Nothing for a group that is no such map, or the only one of its ops.
using BatchMaps = std::vector<std::optional<BatchMap>>;

// `input_of` gives nothing for groups without a kernel.
BatchMaps find_batch_maps(const InlinedGraph& program, const Fusion& fusion,
                          const std::function<std::optional<LoopInput>(const Group&)>& input_of);

// After memory was planned again, for batches: the buffers as they are now. A group whose values do not
// lie as they did leaves its batch, since its kernel is another one.
void move_buffers(const InlinedGraph& program, Fusion& fusion, BatchMaps& maps,
                  const Memory& before, const Memory& now);

}  // namespace ridge::schedule

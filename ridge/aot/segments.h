// Segments of the forward graph: what a gradient computes again as a whole, from what lies between two
// of them, as if each were a checkpoint.
//
//   x -> a -> b -> y -> c -> d -> z         cut behind y: y is kept, a and b are computed again from x
//   ^^^^^^^^^^^^^^^  ^^^^^^^^^^^^           when the gradient reaches them, c and d from y
//
// A charge for each byte (partition.h) tells values apart by what computing them again takes. Where all
// of them cost alike they change their minds together, from keeping everything to computing everything
// again, which then lives at once. Segments hold one part of that at a time (Chen et al., "Training
// Deep Nets with Sublinear Memory Cost", 2016).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ridge/aot/partition.h"

namespace ridge::aot {

// By node of the graph: its segment, from 1 on; 0 for what is no forward node. There are about `count`
// segments that compute as many bytes each, cut where the fewest bytes go from one to the next.
std::vector<int32_t> forward_segments(const graph::Graph& graph, std::span<const ValueCost> costs,
                                      size_t count);

}  // namespace ridge::aot

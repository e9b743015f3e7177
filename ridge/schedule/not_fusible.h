// Nodes that are not fusible on purpose: updates of parameters, and what is to be recomputed.
//
// What an optimizer computes for each element of its parameters is not fused with the gradients that it reads, so
// that the updates of all parameters are equal maps, and one launch (batch.h).
//
//   dw = matmul(...)         a kernel each
//   w  = w - rate * dw       is_update: all of them one launch
#pragma once

#include <vector>

#include "ridge/cost/sheet.h"
#include "ridge/graph/graph.h"
#include "ridge/schedule/fuse.h"
#include "ridge/schedule/group_nest.h"

namespace ridge::schedule {

// By node: does it compute new values of parameters, element by element, and nothing else? Scalars of an optimizer
// and norms of whole gradients are not updates. Empty where parameters are too few to share a launch on the
// device, or on a CPU if there is no sheet.
std::vector<bool> parameter_updates(const graph::Graph& graph, const cost::Sheet* sheet);

// Are there nodes to recompute? A kernel of the forward pass must not store their values for readers in the
// backward pass.
bool has_recomputed(const graph::Graph& graph);

// Would a kernel of the forward pass store a value that the backward pass is to recompute? `readers`: by value;
// empty where nothing is recomputed.
bool keeps_recomputed(const InlinedGraph& program, const Readers& readers, const Group& group);

}  // namespace ridge::schedule

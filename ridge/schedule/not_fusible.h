// Nodes that fusion keeps apart on purpose: updates of parameters, and what is to be computed again.
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

// By node: does it compute new values of parameters, by element, and nothing else? What an optimizer makes
// of numbers, or of a whole gradient, is no part of it. Empty where the parameters are too few to share a
// launch on the device, a CPU if there is no sheet.
std::vector<bool> parameter_updates(const graph::Graph& graph, const cost::Sheet* sheet);

// What is to be computed again stays computed again: a kernel of the forward half must not do it and keep
// it for those who read it later.
bool has_recomputed(const graph::Graph& graph);

// Would the forward half compute what is to be computed again, and keep it for its readers? `readers`: by
// value; empty where nothing is computed again.
bool keeps_recomputed(const InlinedGraph& program, const Readers& readers, const Group& group);

}  // namespace ridge::schedule

// Replaces composite ops by what they are made of.
//
// Comes in: any graph. Goes out: the same computation in ops that have a body or a definition, and
// views; composite ops for which PassContext::keeps_whole holds stay. The parts keep the line and
// layer of the node they came from. In-place forms stay until `functionalize` has made values of them.
//
//   %1 = silu_of_sum(%0)      ->     %1 = add(%0, %0)
//                                    %2 = silu(%1)
#pragma once

#include "ridge/graph/pass.h"

namespace ridge::graph {

Graph decompose(Graph graph, const PassContext& context);

// The nodes for which `is_expanded` holds, as their parts; parts that are composite in turn, as theirs
// where `expands` holds.
Graph expand_nodes(Graph graph, const std::function<bool(const Node&)>& is_expanded,
                   const std::function<bool(const dispatch::Operator&)>& expands);

// Is the op defined by a decomposition?
bool is_composite(const dispatch::Operator& op);

}  // namespace ridge::graph

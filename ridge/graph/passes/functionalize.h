// Turns writes into values: the first pass of every program.
//
// Comes in: a graph as captured, with in-place forms, `assign_` and views. Goes out: a graph where no
// node writes and nothing aliases. A write through a view becomes a new value of what it is a view of
// (passes/invert_view.h), and whoever reads an alias later reads the view of that value. Inputs that
// were written to become `updates`. Outputs that alias inputs or each other are plain values: which
// results are views is known since the capture (capture/result_slots.h).
//
//   %1 = select(%0, 0, 1)  alias %0           %1 = slice(%0, 0, [1, 2])    %2 = reshape(%1, [4])
//   %2 = add_(%1, %1)      alias %1     ->    %3 = add(%2, %2)             %4 = reshape(%3, [1, 4])
//   return %0                                 %5 = slice_scatter(%0, %4, 0, [1, 2])
//                                             return %5        update %0 = %5
#pragma once

#include "ridge/graph/pass.h"

namespace ridge::graph {

Graph functionalize(Graph graph, const PassContext& context);

}  // namespace ridge::graph

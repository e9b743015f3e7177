// What is to be computed again stays computed again: a kernel of the forward half must not do it and keep
// it for those who read it later.
#pragma once

#include "ridge/schedule/fuse.h"
#include "ridge/schedule/group_nest.h"

namespace ridge::schedule {

bool has_recomputed(const graph::Graph& graph);

// Would the forward half compute what is to be computed again, and keep it for its readers? `readers`: by
// value; empty where nothing is computed again.
bool keeps_recomputed(const InlinedGraph& program, const Readers& readers, const Group& group);

}  // namespace ridge::schedule

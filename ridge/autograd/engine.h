// Running a graph backward.
//
// Nodes run in descending order of their sequence numbers. Every edge leads to a smaller number, so
// by the time a node runs, all that can send it a gradient has run: no counting of dependencies is
// needed, nodes that no gradient reaches are never looked at, and sums are formed in one fixed
// order. The graph is walked with a queue, whatever its depth.
//
// Gradients of leaves are added to them at the end, so a run that fails (in a rule, in a hook)
// leaves every leaf as it was. Without retain_graph each node lets its saved values go as soon as
// it has run, also in a run that fails later.
#pragma once

#include <span>
#include <vector>

#include "ridge/autograd/node.h"

namespace ridge::autograd {

struct Root {
  Edge edge;
  Tensor grad;
};

struct RunOptions {
  bool retain_graph = false;
  bool create_graph = false;  // record the run itself, so that its results can be differentiated
};

// Sends gradients from the roots to all leaves and adds them up there.
void run_to_leaves(const std::vector<Root>& roots, RunOptions options);

struct Captured {
  bool is_reached = false;  // does any root depend on it?
  Tensor grad;              // undefined also if reached, where every derivative on the way is zero
};
// Sends gradients to these places only, and returns what arrives there.
std::vector<Captured> run_to(const std::vector<Root>& roots, std::span<const Edge> targets,
                             RunOptions options);

}  // namespace ridge::autograd

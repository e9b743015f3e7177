// A graph with control flow, taken apart: straight parts, each a graph of its own, and the nodes between
// them.
//
//   graph:   a = f(x);  b, ys = scan(step, a, x);  return g(b), ys
//   steps:   [f]   scan   [g]
//
// Everything that needs no result of control flow is in the first part, and so on. What gradients compute
// again is in the part of its first reader: computed earlier it would be kept until then.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ridge/graph/control.h"
#include "ridge/graph/graph.h"

namespace ridge::graph {

// A straight part, or a node with its bodies. Numbers are those of the whole graph.
struct ControlStep {
  std::optional<Graph> straight;
  std::vector<int32_t> nodes;  // that it has, in order
  ValueIds inputs, outputs;
  const Node* node = nullptr;
};

// In the order they run; they point into the graph. Outputs of the graph that no step computes (inputs,
// constants) are outputs of the last one, after its others, and updates are made there.
std::vector<ControlStep> control_steps(const Graph& graph, const std::string& name);

// By step: what is not read after it, and is no output of the graph.
std::vector<ValueIds> let_go_after(const Graph& graph, std::span<const ControlStep> steps);

// A body as it is compiled: that of a scan writes its ys to memory it is given, inputs that it updates.
Graph compiled_body(const ControlParts& parts, size_t body);

}  // namespace ridge::graph

// A program with control flow: straight parts, each compiled as one program, and between them the
// nodes that choose and repeat, run by the host.
//
//   graph:   a = f(x);  b, ys = scan(step, a, x);  return g(b), ys
//   steps:   [f]   ->   scan, its body compiled once and launched for each element   ->   [g]
//
// Everything that needs no result of control flow is in the first part, and so on: fusion goes as far
// as without control flow. A body reads elements of xs where they lie and writes ys where they belong,
// in the stacked results. A condition is read by the host: on a GPU that waits for the work before it.
// Parts and bodies may hold control flow in turn.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "ridge/driver/pipeline.h"
#include "ridge/graph/graph.h"

namespace ridge::driver {

class ControlProgram {
 public:
  // The graph must outlive it.
  ControlProgram(const graph::Graph& graph, const GraphOptions& options);

  std::vector<Tensor> run(std::span<const Tensor* const> inputs) const;
  // Everything that was compiled, in the order it first runs, bodies after what comes before them.
  std::vector<const CompiledGraph*> programs() const;

 private:
  // A straight part, or a node with its bodies.
  struct Step {
    std::unique_ptr<CompiledGraph> straight;
    graph::ValueIds inputs;
    graph::ValueIds outputs;
    const graph::Node* node = nullptr;
    std::vector<graph::Type> result_types;
    std::vector<std::unique_ptr<CompiledGraph>> bodies;
  };
  void add_straight(size_t level, bool is_last);
  void add_control(const graph::Node& node);
  bool is_passed_on(graph::ValueId id) const;
  void run_node(const Step& step, std::vector<Tensor>& values) const;

  const graph::Graph& graph_;
  const GraphOptions& options_;
  std::vector<size_t> levels_;  // of values: how many nodes of control flow lead to it, one by one
  std::vector<Step> steps_;
  // For each output, the output of the last step where it is copied there; else it is a value.
  std::vector<bool> is_copied_;
};

}  // namespace ridge::driver

// A program with control flow: straight parts, each compiled as one program, and between them the
// nodes that choose and repeat, run by the host.
//
//   graph:   a = f(x);  b, ys = scan(step, a, x);  return g(b), ys
//   steps:   [f]   ->   scan, its body compiled once and launched for each element   ->   [g]
//
// Fusion goes as far as without control flow (graph/control_steps.h). What no later step reads is let go. A body
// reads elements of xs where they lie and writes ys where they belong,
// in the stacked results. A condition is read by the host: on a GPU that waits for the work before it.
// Parts and bodies may hold control flow in turn.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "ridge/driver/pipeline.h"
#include "ridge/graph/graph.h"
#include "ridge/recompute/control_recompute.h"

namespace ridge::driver {

class ControlProgram {
 public:
  // The graph must outlive it. `budgets`: of bodies, for what their gradients keep; 0 for none.
  ControlProgram(const graph::Graph& graph, const GraphOptions& options,
                 const recompute::BodyBudgets& budgets = {});

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
  void compile_straight(Step& step, graph::Graph straight) const;
  void compile_bodies(Step& step, const recompute::BodyBudgets& budgets) const;
  void run_node(const Step& step, std::vector<Tensor>& values) const;
  std::vector<Tensor> run_straight(const Step& step, std::vector<Tensor>& values) const;

  const graph::Graph& graph_;
  const GraphOptions& options_;
  std::vector<Step> steps_;
  std::vector<graph::ValueIds> let_go_;  // by step: what is not read after it
};

}  // namespace ridge::driver

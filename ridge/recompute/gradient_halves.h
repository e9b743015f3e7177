// A function and its gradient as two programs: what the first saves for the second, by predicted time.
//
//   Joint joint = joint_of(graph, outputs, wrt);
//   GradientHalves made = choose_halves(joint, options);
//   made.chosen.halves.forward, made.chosen.forward       // a graph, and its plan
//
// Two ways are planned and priced as wholes: everything that a gradient rule reads is saved, or what
// the minimum cut leaves (aot/partition.h). The cut is taken if it is no slower and no larger; a budget
// is met as that of a whole step is (memory_search.h).
#pragma once

#include "ridge/aot/joint.h"
#include "ridge/recompute/recompute.h"

namespace ridge::recompute {

// The joint graph after the passes. In: a graph as `aot::prepare` makes it.
aot::Joint joint_of(graph::Graph graph, const std::vector<size_t>& outputs,
                    const std::vector<size_t>& wrt);

struct PlannedHalves {
  aot::SplitGraphs halves;
  schedule::Plan forward, backward;  // empty where there is control flow
  // The peak is the larger one of the two programs, results and what is saved among it.
  MemoryPoint point;
  int64_t backward_budget = 0;  // what the budget leaves to the backward program
};

struct GradientHalves {
  PlannedHalves chosen, everything_saved;
  std::vector<aot::SavedOrRecomputed> decisions;  // about values of the joint graph
};
// Strides of the inputs of the backward half, if these are those of the function's inputs: gradients
// and what a forward program made lie row by row.
using Strides = std::vector<std::optional<Shape>>;
Strides backward_strides(const aot::SplitGraphs& halves, const Strides& inputs);

// `budget`: bytes of peak; 0 for none. Error{memory} that says the smallest, where it cannot be met.
GradientHalves choose_halves(const aot::Joint& joint, const schedule::Options& options,
                             int64_t budget = 0);

// Arrays that kernels read or write, each once for each kernel: numbers by themselves do not count.
int64_t array_accesses(const schedule::Plan& plan);
// Of a function and its gradient where each op, and each op's gradient, is a kernel by itself. In: a
// graph as `aot::prepare` makes it, differentiated by all its inputs.
int64_t unfused_accesses(const graph::Graph& graph, const schedule::Options& options);

}  // namespace ridge::recompute

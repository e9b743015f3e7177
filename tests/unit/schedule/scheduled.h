// A function as a scheduled plan, and what the loop interpreter says of running it.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "ridge/graph/graph.h"
#include "ridge/loop/interpreter.h"
#include "ridge/schedule/plan.h"

namespace ridge::testing {

using Function = std::function<std::vector<Tensor>(const std::vector<Tensor>&)>;

// The graph of a function of tensors of these types, after the standard passes.
graph::Graph graph_of(const std::vector<graph::Type>& inputs, const Function& function);
graph::Type floats(const Shape& shape);

// The H200 with this many SMs, and KiB of shared memory in each; with slow memory nothing is worse than
// to read it twice.
std::shared_ptr<const cost::Sheet> small_device(int sms, int shared_kib,
                                                bool has_slow_memory = false);

// Random tensors of the graph's input types, the same on every run.
std::vector<Tensor> random_inputs(const graph::Graph& graph, uint64_t seed = 1);

struct Interpreted {
  std::vector<Tensor> outputs;
  int64_t loaded = 0;  // elements of global memory
  int64_t stored = 0;
  int64_t sectors = 0, ideal_sectors = 0;  // of global memory: loaded and stored
  int64_t bank_conflicts = 0, shared_accesses = 0;
};
// The outputs of a plan whose calls are run by the given function. Inputs that are updated are written.
using RunCall = std::function<void(size_t call, std::span<void* const> buffers,
                                   std::span<const int64_t> sizes)>;
std::vector<Tensor> run_plan(const graph::Graph& graph, const schedule::Plan& plan,
                             const std::vector<Tensor>& inputs, const RunCall& run);
// Runs a plan's kernels in the interpreter.
Interpreted interpret(const graph::Graph& graph, const schedule::Plan& plan,
                      const std::vector<Tensor>& inputs, const loop::Options& options = {});

// The outputs by the reference evaluator.
std::vector<Tensor> expected_outputs(const graph::Graph& graph, const std::vector<Tensor>& inputs);

// Floats within a bound that follows from f32 and the length of the longest sum.
void expect_near(const std::vector<Tensor>& ours, const std::vector<Tensor>& expected,
                 double length);

// Runs the plan on random inputs, whose results are to be those of the reference, within the rounding of the
// result and of sums over so many points.
Interpreted expect_as_reference(const graph::Graph& graph, const schedule::Plan& plan,
                                double points);
// How many elements of these outputs are not.
size_t count_wrong(const std::vector<Tensor>& ours, const std::vector<Tensor>& expected,
                   double points);

}  // namespace ridge::testing

// From a captured graph to a program: the order of the stages. Start reading here.
//
//   capture  ->  graph passes  ->  recomputation  ->  schedule  ->  link  ->  code generation  ->  build
//
// An internal error in any stage leaves a folder that reproduces it (verify/repro.h) and the process
// usable.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "ridge/execute/compiled_program.h"
#include "ridge/execute/device_inputs.h"
#include "ridge/graph/graph.h"
#include "ridge/graph/graph_options.h"
#include "ridge/graph/pass.h"
#include "ridge/recompute/recompute.h"

namespace ridge::driver {

using graph::GraphOptions;

// How a graph with these options is scheduled for a device.
schedule::Options scheduling_of(const GraphOptions& options, Device device);

// The plan of a graph as a program: stages of the pipeline from a plan on. Plan and graph must outlive it.
// `symbols` as GraphOptions has them.
std::unique_ptr<execute::CompiledProgram> build_program(const schedule::Plan& plan,
                                                        const graph::Graph& graph,
                                                        Device device = kCpu,
                                                        const expr::Symbols& symbols = {});

class ControlProgram;

// A program bound to sizes. A type of its own, so that headers for users need not name `execute`.
struct Binding {
  std::shared_ptr<const execute::BoundProgram> program;
};

// What a graph became. Without LLVM in the build there is no program, and `run` calls op by op.
class CompiledGraph {
 public:
  CompiledGraph(const graph::Graph& captured, const GraphOptions& options);
  ~CompiledGraph();  // with RIDGE_DEBUG=2, shows the times of its kernels
  CompiledGraph(const CompiledGraph&) = delete;
  CompiledGraph& operator=(const CompiledGraph&) = delete;

  std::vector<Tensor> run(std::span<const Tensor* const> inputs) const { return run(inputs, {}); }
  // `binding` is what `bind` gave, for the sizes of these inputs.
  std::vector<Tensor> run(std::span<const Tensor* const> inputs,
                          const std::shared_ptr<const Binding>& binding) const;
  std::shared_ptr<const Binding> bind(std::span<const int64_t> values) const;

  const GraphOptions& options() const { return options_; }
  const graph::Graph& graph() const { return graph_; }  // after the passes
  // As it was captured; kept with RIDGE_VERIFY=3 alone, null otherwise.
  const graph::Graph* captured() const { return captured_.get(); }
  // Before it was decided what gradients keep and what they compute again: that depends on the device.
  const graph::Graph& undecided() const { return undecided_ ? *undecided_ : graph_; }
  // Nothing where there are no gradients. With control flow: nothing unless there is a budget or a
  // checkpoint, since parts decide for themselves.
  const std::optional<recompute::RecomputeReport>& recomputed() const { return recomputed_; }
  uint64_t captured_hash() const { return captured_hash_; }
  const std::vector<graph::PassRun>& passes() const { return passes_; }
  // Null without LLVM, and where there is control flow: then `control` has the programs.
  execute::CompiledProgram* program() const { return program_.get(); }
  // Of the program, which is there.
  const schedule::Plan& plan() const { return *plan_; }
  const ControlProgram* control() const { return control_.get(); }
  // This one, or all that control flow is made of, in the order they first run.
  std::vector<const CompiledGraph*> parts() const;
  void set_timing(bool is_on);  // of every kernel, from now on
  size_t kernel_count() const;
  double compile_ms() const { return compile_ms_; }

 private:
  std::vector<Tensor> run_program(std::span<const Tensor* const> inputs,
                                  const execute::BoundProgram* bound) const;
  // The graph with the sizes of a call in the place of its symbols.
  graph::Graph at_sizes(const graph::Graph& graph, const execute::BoundProgram* bound) const;

  GraphOptions options_;
  // The plan of the graph as it is decided; nothing where there is nothing to decide.
  std::optional<schedule::Plan> decide_recomputation(const schedule::Options& wanted);
  void make_control(const schedule::Options& wanted);
  void make_program(schedule::Options wanted, Device device, std::optional<schedule::Plan> decided,
                    const graph::Graph& captured);
  void take_decided(graph::Graph decided, recompute::RecomputeReport report);

  graph::Graph graph_;
  std::optional<graph::Graph> undecided_;
  std::optional<recompute::RecomputeReport> recomputed_;
  uint64_t captured_hash_;
  std::vector<graph::PassRun> passes_;
  std::unique_ptr<const schedule::Plan> plan_;  // that the program refers to
  std::unique_ptr<execute::CompiledProgram> program_;
  execute::DeviceInputs inputs_;
  double compile_ms_ = 0;
  std::unique_ptr<ControlProgram> control_;
  std::unique_ptr<const graph::Graph> captured_;
  mutable std::atomic<bool> are_passes_checked_{false};  // by a run, RIDGE_VERIFY=3
};

}  // namespace ridge::driver

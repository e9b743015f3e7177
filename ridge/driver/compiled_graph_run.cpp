// What a graph became, while it runs: binding, runs, timing. pipeline.cpp makes it.
#include "ridge/base/knobs.h"
#include "ridge/base/log.h"
#include "ridge/base/text.h"
#include "ridge/core/device_copy.h"
#include "ridge/driver/compiled_report.h"
#include "ridge/driver/control_program.h"
#include "ridge/driver/pipeline.h"
#include "ridge/graph/replay.h"
#include "ridge/graph/symbols.h"
#include "ridge/ops/view.h"
#include "ridge/report/kernel_table.h"
#include "ridge/verify/repro.h"
#include "ridge/verify/verify_kernels.h"
#include "ridge/verify/verify_passes.h"

namespace ridge::driver {

CompiledGraph::~CompiledGraph() {
  if (program_ == nullptr || knob_int(Knob::debug) < 2) return;
  try {
    const std::vector<report::KernelRow> timed = rows_of(*this);
    if (!report::is_timed(timed)) return;
    show("kernels", concat("kernels of ", options_.name, "\n", to_text(timed),
                           report::figures_text(*plan_->sheet, program_->gpu_name())));
  } catch (const std::exception&) {
    // A report that fails, of the host's callback perhaps, is no reason to end the process.
  }
}

std::vector<const CompiledGraph*> CompiledGraph::parts() const {
  return control_ != nullptr ? control_->programs() : std::vector{this};
}

void CompiledGraph::set_timing(bool is_on) {
  for (const CompiledGraph* part : parts()) {
    if (part->program() != nullptr) part->program()->set_timing(is_on);
  }
}

size_t CompiledGraph::kernel_count() const {
  size_t count = 0;
  for (const CompiledGraph* part : parts()) {
    if (part->program() != nullptr) count += part->program()->kernel_count();
  }
  return count;
}

std::shared_ptr<const Binding> CompiledGraph::bind(std::span<const int64_t> values) const {
  if (program_ != nullptr) return std::make_shared<Binding>(Binding{program_->bind(values)});
  auto bound = std::make_shared<execute::BoundProgram>();
  bound->values.assign(values.begin(), values.end());
  return std::make_shared<Binding>(Binding{std::move(bound)});
}

// With RIDGE_VERIFY=3, what passes made of the graph is checked in its first run, and each kernel in
// every run (verify/verify_kernels.h); whoever is wrong is reproduced on these inputs.
std::vector<Tensor> CompiledGraph::run(std::span<const Tensor* const> inputs,
                                       const std::shared_ptr<const Binding>& binding) const {
  const execute::BoundProgram* const bound = binding == nullptr ? nullptr : binding->program.get();
  if (knob_int(Knob::verify) < verify::kVerifyKernels) [[likely]]
    return run_program(inputs, bound);
  std::vector<Tensor> given, outputs;
  for (const Tensor* input : inputs) given.push_back(host_copy(*input));
  const graph::Graph made = at_sizes(captured_ != nullptr ? *captured_ : graph_, bound);
  verify::reproducing(made, options_, given, [&] {
    const bool is_first = captured_ != nullptr && !are_passes_checked_.exchange(true);
    if (is_first) verify::check_passes(made, given);
    outputs = run_program(inputs, bound);
  });
  return outputs;
}

graph::Graph CompiledGraph::at_sizes(const graph::Graph& graph,
                                     const execute::BoundProgram* bound) const {
  const bool has_values = bound != nullptr && !bound->values.empty();
  return has_values ? graph::with_values(graph, options_.symbols, bound->values) : graph;
}

std::vector<Tensor> CompiledGraph::run_program(std::span<const Tensor* const> inputs,
                                               const execute::BoundProgram* bound) const {
  if (control_ != nullptr) return control_->run(inputs);
  const auto launch = [&](std::span<const Tensor* const> there) {
    return bound == nullptr ? program_->run(there) : program_->run(there, *bound);
  };
  if (program_ != nullptr && inputs_.fit(inputs)) return launch(inputs);
  if (program_ != nullptr) return inputs_.run_on_copies(inputs, launch);
  std::vector<Tensor> tensors;
  for (const Tensor* input : inputs) tensors.push_back(*input);
  std::vector<Tensor> outputs = graph::replay(at_sizes(graph_, bound), tensors);
  graph::separate(outputs, tensors);
  // Row-major, as a program leaves them: results may be views of them.
  for (Tensor& output : outputs) output = contiguous(output);
  return outputs;
}

}  // namespace ridge::driver

#include "ridge/driver/pipeline.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <iterator>
#include <utility>

#include "ridge/base/dump.h"
#include "ridge/base/knobs.h"
#include "ridge/base/large_stack.h"
#include "ridge/base/log.h"
#include "ridge/base/text.h"
#include "ridge/core/device_copy.h"
#include "ridge/driver/built_cache.h"
#include "ridge/driver/control_program.h"
#include "ridge/driver/control_recompute.h"
#include "ridge/driver/device_backend.h"
#include "ridge/driver/kernel_table.h"
#include "ridge/driver/repro.h"
#include "ridge/driver/verify_kernels.h"
#include "ridge/driver/verify_passes.h"
#include "ridge/graph/control.h"
#include "ridge/graph/replay.h"
#include "ridge/graph/symbols.h"
#include "ridge/ops/view.h"
#include "ridge/schedule/plan.h"

namespace ridge::driver {
namespace {

void log_decisions(const schedule::Plan& plan, const graph::Graph& graph) {
  if (knob_int(Knob::debug) < 3) return;
  for (const schedule::FusionDecision& d : plan.decisions) {
    const auto op = [&](int32_t node) { return graph.nodes[static_cast<size_t>(node)].op->name(); };
    show("fusion", concat("one kernel for ", op(d.producer), " and ", op(d.consumer), "? ",
                          d.decision.to_text()));
  }
}

// Where its inputs are. Where none says so, what is made from nothing does (full, arange): a straight part
// between nodes of control flow may have no input.
Device device_of(const graph::Graph& graph) {
  std::optional<Device> device;
  for (const graph::ValueId input : graph.inputs) {
    const Device here = graph[input].type.device;
    if (gives_way(graph[input].type)) continue;
    RIDGE_CHECK(!device || *device == here, .code = ErrorCode::device, .op = graph.name,
                .expected = "tensors on one device",
                .given = concat(to_text(*device), " and ", to_text(here)),
                .hint = "to_device(tensor, device) copies one");
    device = here;
  }
  if (device) return *device;
  for (const graph::Value& value : graph.values) {
    if (value.node >= 0 && value.type.device != kCpu) return value.type.device;
  }
  return kCpu;
}

// The nodes of kernels that do not compile are to have kernels of their own. False if one has them
// already: then there is no other way to compute it.
bool separate(schedule::Options& options, const graph::Graph& graph, const KernelFailure& failure) {
  const schedule::Plan plan = schedule::schedule(graph, options);
  for (const size_t kernel : failure.kernels) {
    const std::vector<int32_t>& nodes = plan.calls[kernel].nodes;
    const auto is_new = [&](int32_t node) { return !std::ranges::count(options.alone, node); };
    if (std::ranges::none_of(nodes, is_new) || nodes.size() == 1) return false;
    std::ranges::copy_if(nodes, std::back_inserter(options.alone), is_new);
  }
  return true;
}

// Compiling for a GPU goes on without a fused kernel that fails: what NVRTC takes differs between
// versions. `reproduction` writes one down, and a warning says so.
std::unique_ptr<Program> build_program(
    const graph::Graph& graph, schedule::Options options, Device device,
    const expr::Symbols& symbols, std::optional<schedule::Plan> made,
    const std::function<std::string(const std::string&)>& reproduction) {
  for (;;) {
    schedule::Plan plan = made ? std::move(*made) : schedule::schedule(graph, options);
    made.reset();
    log_decisions(plan, graph);
    try {
      return std::make_unique<Program>(std::move(plan), graph, device, symbols);
    } catch (const KernelFailure& failure) {
      const bool is_final = device.kind == DeviceKind::cpu || is_reproducing();
      if (is_final || !separate(options, graph, failure)) throw;
      log(LogLevel::warning, "kernels",
          concat(failure.what(), "; its ops get kernels of their own; ",
                 reproduction(failure.what())));
    }
  }
}

}  // namespace

schedule::Options scheduling_of(const GraphOptions& options, Device device) {
  schedule::Options wanted = options_for(device);
  wanted.fuses = !graph::is_disabled("fuse");
  wanted.input_strides = options.input_strides;
  wanted.alone = options.alone;
  return wanted;
}

CompiledGraph::CompiledGraph(const graph::Graph& captured, const GraphOptions& options)
    : options_(options), captured_hash_(graph::hash(captured)) {
  const auto start = std::chrono::steady_clock::now();
  const auto stages = [&] {
    // 1. What was captured.
    if (is_knob_set(Knob::dump)) dump_artifact(options.name, "ir", to_text(captured));
    // 2. Graph to graph: no writes, no composites, nothing twice, nothing unused.
    graph::PassContext context;
    graph_ = graph::run_passes(captured, graph::standard_passes(), context, captured_hash_);
    passes_ = std::move(context.runs);
    const Device device = device_of(graph_);
    if (!can_execute(device)) return;
    const schedule::Options wanted = scheduling_of(options, device);
    if (graph::has_control(graph_)) return make_control(wanted);
    inputs_ = DeviceInputs(graph_, device);
    // 3. Graph to kernels: what gradients keep of the forward half and what they compute again, what
    // runs together, in which order, in which memory.
    std::optional<schedule::Plan> plan = decide_recomputation(wanted);
    // 4. Kernels to machine code, ready to launch.
    program_ = build_program(
        graph_, wanted, device, options.symbols, std::move(plan),
        [&](const std::string& problem) { return leave_reproduction(captured, options, problem); });
  };
  on_large_stack([&] { reproducing(captured, options, stages); });
  if (knob_int(Knob::verify) >= kVerifyKernels) {
    captured_ = std::make_unique<const graph::Graph>(captured);
  }
  const auto time = std::chrono::steady_clock::now() - start;
  compile_ms_ = std::chrono::duration<double, std::milli>(time).count();
}

void CompiledGraph::take_decided(graph::Graph decided, RecomputeReport report) {
  recomputed_ = std::move(report);
  undecided_ = std::exchange(graph_, std::move(decided));
  if (knob_int(Knob::verify) >= 1) graph::verify(graph_);
}

// Straight parts and bodies decide for themselves what their gradients keep, unless something is asked of
// the whole.
void CompiledGraph::make_control(const schedule::Options& wanted) {
  const bool is_asked = options_.memory_budget > 0 || aot::has_checkpoints(graph_);
  BodyBudgets budgets;
  if (is_asked && has_gradients_within(graph_) && !graph::is_disabled("recompute")) {
    auto chosen = choose_control_recomputation(graph_, wanted, options_.memory_budget);
    take_decided(std::move(chosen.graph), std::move(chosen.report));
    budgets = std::move(chosen.budgets);
  }
  control_ = std::make_unique<ControlProgram>(graph_, options_, budgets);
}

std::optional<schedule::Plan> CompiledGraph::decide_recomputation(const schedule::Options& wanted) {
  if (!has_gradients(graph_) || graph::is_disabled("recompute")) return std::nullopt;
  if (!graph::symbols_of(graph_).empty()) {
    auto chosen = choose_by_hints(graph_, wanted);
    if (chosen) take_decided(std::move(chosen->graph), std::move(chosen->report));
    return std::nullopt;
  }
  Recomputation chosen = choose_recomputation(graph_, wanted, options_.memory_budget);
  take_decided(std::move(chosen.graph), std::move(chosen.report));
  return std::move(chosen.plan);
}

CompiledGraph::~CompiledGraph() {
  if (program_ == nullptr || knob_int(Knob::debug) < 2) return;
  try {
    const std::vector<KernelRow> rows = program_->rows();
    if (!is_timed(rows)) return;
    show("kernels", concat("kernels of ", options_.name, "\n", to_text(rows),
                           figures_text(*program_->plan().sheet, program_->gpu_name())));
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

std::shared_ptr<const BoundProgram> CompiledGraph::bind(std::span<const int64_t> values) const {
  if (program_ != nullptr) return program_->bind(values);
  auto bound = std::make_shared<BoundProgram>();
  bound->values.assign(values.begin(), values.end());
  return bound;
}

// With RIDGE_VERIFY=3, what passes made of the graph is checked in its first run, and each kernel in
// every run (verify_kernels.h); whoever is wrong is reproduced on these inputs.
std::vector<Tensor> CompiledGraph::run(std::span<const Tensor* const> inputs,
                                       const std::shared_ptr<const BoundProgram>& bound) const {
  if (knob_int(Knob::verify) < kVerifyKernels) [[likely]]
    return run_program(inputs, bound.get());
  std::vector<Tensor> given, outputs;
  for (const Tensor* input : inputs) given.push_back(host_copy(*input));
  const graph::Graph made = at_sizes(captured_ != nullptr ? *captured_ : graph_, bound.get());
  reproducing(made, options_, given, [&] {
    const bool is_first = captured_ != nullptr && !are_passes_checked_.exchange(true);
    if (is_first) check_passes(made, given);
    outputs = run_program(inputs, bound.get());
  });
  return outputs;
}

graph::Graph CompiledGraph::at_sizes(const graph::Graph& graph, const BoundProgram* bound) const {
  const bool has_values = bound != nullptr && !bound->values.empty();
  return has_values ? graph::with_values(graph, options_.symbols, bound->values) : graph;
}

std::vector<Tensor> CompiledGraph::run_program(std::span<const Tensor* const> inputs,
                                               const BoundProgram* bound) const {
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

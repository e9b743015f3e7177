#include "ridge/driver/pipeline.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <iterator>
#include <utility>

#include "ridge/base/files.h"
#include "ridge/base/knobs.h"
#include "ridge/base/large_stack.h"
#include "ridge/base/log.h"
#include "ridge/base/text.h"
#include "ridge/driver/control_program.h"
#include "ridge/graph/control.h"
#include "ridge/graph/replay.h"
#include "ridge/graph/symbols.h"
#include "ridge/linker/built_cache.h"
#include "ridge/linker/link.h"
#include "ridge/recompute/control_recompute.h"
#include "ridge/schedule/plan.h"
#include "ridge/verify/failed_op.h"
#include "ridge/verify/repro.h"
#include "ridge/verify/verify_kernels.h"

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
  const auto take = [&](Device here) {
    RIDGE_CHECK(!device || *device == here, .code = ErrorCode::device, .op = graph.name,
                .expected = "tensors on one device",
                .given = concat(to_text(*device), " and ", to_text(here)),
                .hint = "to_device(tensor, device) copies one");
    device = here;
  };
  for (const graph::ValueId input : graph.inputs) {
    if (!linker::is_device_agnostic_scalar(graph[input].type)) take(graph[input].type.device);
  }
  if (device) return *device;
  for (const graph::Value& value : graph.values) {
    if (value.node >= 0 && value.type.device != kCpu) take(value.type.device);
  }
  return device.value_or(kCpu);
}

// The nodes of kernels that do not compile are to have kernels of their own. False if one has them
// already: then there is no other way to compute it.
bool separate(schedule::Options& options, const graph::Graph& graph,
              const linker::KernelFailure& failure) {
  const schedule::Plan plan = schedule::schedule(graph, options);
  for (const size_t kernel : failure.kernels) {
    const std::vector<int32_t>& nodes = plan.calls[kernel].nodes;
    const auto is_new = [&](int32_t node) { return !std::ranges::count(options.unfused, node); };
    if (std::ranges::none_of(nodes, is_new) || nodes.size() == 1) return false;
    std::ranges::copy_if(nodes, std::back_inserter(options.unfused), is_new);
  }
  return true;
}

// What runs of a program may ask of who compiled it: which op failed, and whether kernels are right.
execute::ProgramHooks hooks_of(const schedule::Plan& plan, const graph::Graph& graph,
                               const expr::Symbols& symbols, Device device) {
  using Inputs = execute::ProgramHooks::Inputs;
  using Values = execute::ProgramHooks::Values;
  return {
      .report_failure =
          [&plan, &graph, symbols](const execute::Failure& failure, Inputs inputs, Values values) {
            verify::throw_failed_op(
                failure.status, plan.calls[failure.call],
                values.empty() ? graph : graph::with_values(graph, symbols, values), inputs);
          },
      .watch = [&plan, &graph, symbols, device](
                   Inputs inputs, Values values,
                   std::span<void* const> memory) -> std::unique_ptr<execute::KernelWatch> {
        return std::make_unique<verify::KernelCheck>(plan, graph, graph::sizes_of(symbols, values),
                                                     inputs, memory, device);
      }};
}

}  // namespace

schedule::Options scheduling_of(const GraphOptions& options, Device device) {
  schedule::Options wanted = linker::options_for(device);
  wanted.fuses = !graph::is_disabled("fuse");
  if (graph::is_disabled("chains")) wanted.chains = schedule::Chains::none;
  wanted.input_strides = options.input_strides;
  wanted.unfused = options.unfused;
  return wanted;
}

CompiledGraph::CompiledGraph(const graph::Graph& captured, const GraphOptions& options)
    : options_(options), captured_hash_(graph::hash(captured)) {
  const auto start = std::chrono::steady_clock::now();
  const auto stages = [&] {
    // 1. Capture: what comes in, shown.
    if (is_knob_set(Knob::dump)) dump_artifact(options.name, "ir", to_text(captured));
    // 2. Graph passes: no writes, no composites, nothing twice, nothing unused.
    graph::PassContext context;
    graph_ = graph::run_passes(captured, graph::standard_passes(), context, captured_hash_);
    passes_ = std::move(context.runs);
    const Device device = device_of(graph_);
    if (!linker::can_build(device)) return;
    const schedule::Options wanted = scheduling_of(options, device);
    // Of control flow, each straight part and each body passes through these stages by itself.
    if (graph::has_control(graph_)) return make_control(wanted);
    inputs_ = linker::device_inputs(graph_, device);
    // 3. Recomputation: what gradients keep of the forward half and what they compute again.
    std::optional<schedule::Plan> decided = decide_recomputation(wanted);
    // 4. to 10. From a graph to a program.
    make_program(wanted, device, std::move(decided), captured);
  };
  on_large_stack([&] { verify::reproducing(captured, options, stages); });
  if (knob_int(Knob::verify) >= verify::kVerifyKernels) {
    captured_ = std::make_unique<const graph::Graph>(captured);
  }
  const auto time = std::chrono::steady_clock::now() - start;
  compile_ms_ = std::chrono::duration<double, std::milli>(time).count();
}

// Compiling for a GPU goes on without a fused kernel that fails: what NVRTC takes differs between
// versions. A reproduction is written, and a warning says so.
void CompiledGraph::make_program(schedule::Options wanted, Device device,
                                 std::optional<schedule::Plan> decided,
                                 const graph::Graph& captured) {
  for (;;) {
    // 4. Schedule: loop kernels, what runs together, in which order, in which memory. The choice of what
    // to compute again has made a plan already.
    plan_ = std::make_unique<const schedule::Plan>(decided ? std::move(*decided)
                                                           : schedule::schedule(graph_, wanted));
    decided.reset();
    log_decisions(*plan_, graph_);
    try {
      // 5. to 10. From a plan to a program.
      program_ = build_program(*plan_, graph_, device, options_.symbols);
      return;
    } catch (const linker::KernelFailure& failure) {
      const bool is_final = device.kind == DeviceKind::cpu || verify::is_reproducing();
      if (is_final || !separate(wanted, graph_, failure)) throw;
      log(LogLevel::warning, "kernels",
          concat(failure.what(), "; its ops get kernels of their own; ",
                 verify::leave_reproduction(captured, options_, failure.what())));
    }
  }
}

std::unique_ptr<execute::CompiledProgram> build_program(const schedule::Plan& plan,
                                                        const graph::Graph& graph, Device device,
                                                        const expr::Symbols& symbols) {
  RIDGE_CHECK(linker::can_build(device), .code = ErrorCode::device, .op = graph.name,
              .expected = "a device that this build makes kernels for", .given = to_text(device));
  // 5. Link: the plan as plain data, without graph and loops.
  auto linked = std::make_unique<const execute::ExecutablePlan>(
      linker::executable_plan(plan, graph, symbols));
  const auto build = linker::device_backend(device.kind).make_build(plan, *linked, device);
  // 6. Products of a library: which of its algorithms it takes, found while the kernels are built.
  build->choose_products();
  // 7. Code generation: each kernel that no program has had yet, as LLVM IR or CUDA text.
  build->generate_kernels();
  // 8. Build: the text to machine code, by LLVM or NVRTC, loaded. Like 7., all kernels on all threads.
  build->build_kernels();
  // 9. The executor: how kernels and products are launched in their order.
  auto executor = build->make_executor();
  // 10. The program: memory for constants, and who to ask when a kernel fails.
  execute::ProgramHooks hooks = hooks_of(plan, graph, linked->symbols, device);
  return std::make_unique<execute::CompiledProgram>(std::move(linked), std::move(executor), device,
                                                    std::move(hooks));
}

void CompiledGraph::take_decided(graph::Graph decided, recompute::RecomputeReport report) {
  recomputed_ = std::move(report);
  undecided_ = std::exchange(graph_, std::move(decided));
  if (knob_int(Knob::verify) >= 1) graph::verify(graph_);
}

// Straight parts and bodies decide for themselves what their gradients keep, unless something is asked of
// the whole.
void CompiledGraph::make_control(const schedule::Options& wanted) {
  const bool is_asked = options_.memory_budget > 0 || aot::has_checkpoints(graph_);
  recompute::BodyBudgets budgets;
  if (is_asked && recompute::has_gradients_within(graph_) && !graph::is_disabled("recompute")) {
    auto chosen = recompute::choose_control_recomputation(graph_, wanted, options_.memory_budget);
    take_decided(std::move(chosen.graph), std::move(chosen.report));
    budgets = std::move(chosen.budgets);
  }
  control_ = std::make_unique<ControlProgram>(graph_, options_, budgets);
}

std::optional<schedule::Plan> CompiledGraph::decide_recomputation(const schedule::Options& wanted) {
  if (!recompute::has_gradients(graph_) || graph::is_disabled("recompute")) return std::nullopt;
  if (!graph::symbols_of(graph_).empty()) {
    auto chosen = recompute::choose_by_hints(graph_, wanted);
    if (chosen) take_decided(std::move(chosen->graph), std::move(chosen->report));
    return std::nullopt;
  }
  recompute::Recomputation chosen =
      recompute::choose_recomputation(graph_, wanted, options_.memory_budget);
  take_decided(std::move(chosen.graph), std::move(chosen.report));
  return std::move(chosen.plan);
}

}  // namespace ridge::driver

#include "tests/fuzz/plan_runs.h"

#include <algorithm>
#include <cstring>

#include "ridge/base/text.h"
#include "ridge/expr/evaluate.h"
#include "ridge/runtime/cpu/thread_pool.h"
#include "tests/fuzz/fuzz_case.h"

namespace ridge::fuzz {
namespace {

std::vector<int64_t> numbers(const std::vector<expr::Expr>& sizes) {
  std::vector<int64_t> result;
  for (const expr::Expr& size : sizes) result.push_back(expr::evaluate(size, {}).as_integer());
  return result;
}

// The runs of a call, in either order: those of a batch may come in any.
std::vector<schedule::KernelRun> runs_in_order(const schedule::KernelCall& call, bool is_reversed) {
  std::vector<schedule::KernelRun> runs = schedule::runs_of(call);
  if (is_reversed) std::ranges::reverse(runs);
  return runs;
}

void run_in_one(KernelRuntime*, int64_t count, int64_t, TaskRange run, void* context) {
  if (count > 0) run(context, 0, count);
}

void run_backwards(KernelRuntime*, int64_t count, int64_t grain, TaskRange run, void* context) {
  grain = std::max<int64_t>(grain, 1);
  const int64_t ranges = (count + grain - 1) / grain;
  for (int64_t i = ranges; i-- > 0;) run(context, i * grain, std::min((i + 1) * grain, count));
}

// Machine code that faults never returns from here, so nothing with a destructor may be open.
std::string launch(KernelFunction function, void** buffers, const int64_t* sizes, Threads threads) {
  int32_t status = 0;
  KernelRuntime in_one{run_in_one}, backwards{run_backwards};
  std::string fault;
  switch (threads) {
    case Threads::one:
      fault = run_catching_faults([&] { function(buffers, sizes, &in_one, &status); });
      break;
    case Threads::backwards:
      fault = run_catching_faults([&] { function(buffers, sizes, &backwards, &status); });
      break;
    case Threads::all: function(buffers, sizes, &runtime::kernel_runtime(), &status); break;
  }
  if (!fault.empty()) return fault;
  return status == 0 ? "" : concat("status ", status);
}

std::string in_kernel(const loop::Kernel& kernel, const std::string& what) {
  return concat(what, " in\n", loop::to_text(kernel));
}

Results results_of(const PlanMemory& memory) {
  return {memory.find_damage(), memory.outputs(), memory.inputs()};
}

bool plant_in(loop::Body& body, Plant what, loop::Kernel& kernel) {
  for (loop::Statement& statement : body) {
    if (auto* store = std::get_if<loop::Store>(&statement.kind); store && what == Plant::stray) {
      store->index = store->index + 1;
      return true;
    }
    if (auto* let = std::get_if<loop::Let>(&statement.kind); let && what == Plant::value) {
      if (!is_floating(kernel.values[static_cast<size_t>(let->value)].dtype)) continue;
      let->expression = let->expression + 0.25;
      return true;
    }
    if (auto* loop = std::get_if<loop::Loop>(&statement.kind)) {
      if (plant_in(loop->body, what, kernel)) return true;
    }
    if (auto* contract = std::get_if<loop::Contract>(&statement.kind)) {
      if (plant_in(contract->body, what, kernel)) return true;
    }
  }
  return false;
}

}  // namespace

std::string Results::difference(const Results& other) const {
  if (!other.problem.empty()) return other.problem;
  const auto compare = [](const std::vector<Tensor>& a, const std::vector<Tensor>& b,
                          std::string_view what) -> std::string {
    for (size_t i = 0; i < a.size(); ++i) {
      const size_t bytes = bytes_for(a[i].dtype(), elements_of(a[i].shape()));
      if (bytes > 0 && std::memcmp(a[i].raw_data(), b[i].raw_data(), bytes) != 0) {
        return concat("other bits of ", what, " ", i, ":\n", ridge::to_text(a[i]), "\nthen\n",
                      ridge::to_text(b[i]));
      }
    }
    return "";
  };
  const std::string wrong = compare(outputs, other.outputs, "output");
  return wrong.empty() ? compare(inputs, other.inputs, "input") : wrong;
}

BuiltPlan::BuiltPlan(const schedule::Plan& plan) {
  std::vector<const loop::Kernel*> wanted;
  for (const schedule::KernelCall& call : plan.calls) wanted.push_back(&call.kernel);
  kernels = linker::build_cpu(wanted);
}

Results PlanRun::interpret(Edge edge, const loop::Options& options) const {
  const PlanMemory memory(plan, graph, inputs, edge);
  for (const schedule::KernelCall& call : plan.calls) {
    try {
      for (const schedule::KernelRun& run : runs_in_order(call, options.reverse_tasks)) {
        const loop::Counts counts =
            loop::run(call.kernel, memory.arguments(run.buffers), numbers(run.sizes), options);
        if (counts.status != KernelStatus::ok) {
          return {in_kernel(call.kernel, concat("status ", static_cast<int>(counts.status)))};
        }
      }
    } catch (const std::exception& error) {
      return {in_kernel(call.kernel, error.what())};
    }
  }
  return results_of(memory);
}

Results PlanRun::launch(const BuiltPlan& built, Edge edge, Threads threads) const {
  const PlanMemory memory(plan, graph, inputs, edge);
  for (size_t i = 0; i < plan.calls.size(); ++i) {
    const schedule::KernelCall& call = plan.calls[i];
    for (const schedule::KernelRun& run : runs_in_order(call, threads == Threads::backwards)) {
      std::vector<void*> arguments = memory.arguments(run.buffers);
      const std::vector<int64_t> sizes = numbers(run.sizes);
      const std::string wrong =
          fuzz::launch(built.kernels[i]->function, arguments.data(), sizes.data(), threads);
      if (!wrong.empty()) return {in_kernel(call.kernel, wrong)};
    }
  }
  return results_of(memory);
}

void plant(Plant what, schedule::Plan& plan) {
  if (what == Plant::none) return;
  for (schedule::KernelCall& call : plan.calls) {
    if (plant_in(call.kernel.body, what, call.kernel)) return;
  }
}

}  // namespace ridge::fuzz

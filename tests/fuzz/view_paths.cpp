#include "tests/fuzz/view_paths.h"

#include <algorithm>
#include <functional>
#include <map>

#include "ridge/base/knobs.h"
#include "ridge/base/text.h"
#include "ridge/capture/shared_memory.h"
#include "ridge/driver/compile.h"
#include "ridge/driver/entry.h"
#include "ridge/graph/pass.h"
#include "ridge/graph/replay.h"
#include "ridge/ops/view.h"
#include "ridge/reference/reference.h"
#include "tests/fuzz/plan_on_tensors.h"
#include "tests/fuzz/plan_runs.h"
#include "tests/fuzz/resized_program.h"

namespace ridge::fuzz {
namespace {

// All that a caller has after the call.
struct Seen {
  std::vector<Tensor> memories;
  std::vector<Tensor> arguments;
  std::vector<Tensor> results;

  std::vector<Tensor> tensors() const {
    std::vector<Tensor> all = results;
    all.insert(all.end(), arguments.begin(), arguments.end());
    return all;
  }
  // The memory that a tensor views; none for one that the program made.
  int memory_of(const Tensor& tensor) const {
    for (size_t i = 0; i < memories.size(); ++i) {
      if (tensor.shares_storage_with(memories[i])) return static_cast<int>(i);
    }
    return -1;
  }
};

using Call = std::function<std::vector<Tensor>(std::vector<Tensor>& arguments)>;

Seen seen_after(const ViewProgram& program, uint64_t number, const Call& call) {
  Seen seen;
  {
    const reference::UseReference by_reference;
    seen.memories = make_memories(program, number);
    seen.arguments = make_arguments(program, seen.memories);
  }
  seen.results = call(seen.arguments);
  return seen;
}

bool is_same_layout(const Tensor& a, const Tensor& b) {
  for (int64_t dim = 0; dim < a.rank(); ++dim) {
    if (a.size(dim).value() > 1 &&
        !a.strides()[static_cast<size_t>(dim)].is_same(b.strides()[static_cast<size_t>(dim)])) {
      return false;
    }
  }
  return true;
}

std::string place_text(const Tensor& t) {
  return concat(describe(t), " strides ", to_text(t.strides()), " offset ", t.offset());
}

std::string compare_values(const Tensor& expected, const Tensor& found) {
  if (expected.dtype() != found.dtype() || !is_same(expected.shape(), found.shape())) {
    return concat(describe(expected), " eagerly, ", describe(found));
  }
  if (expected.to_vector<double>() == found.to_vector<double>()) return {};
  return concat(ridge::to_text(expected), "\neagerly,\n", ridge::to_text(found));
}

// A tensor whose memory somebody else sees lies there as it does eagerly.
std::string compare_places(const Seen& eager, const Seen& other) {
  const std::vector<Tensor> expected = eager.tensors(), found = other.tensors();
  for (size_t i = 0; i < expected.size(); ++i) {
    if (expected[i].numel().value() == 0) continue;
    const int memory = eager.memory_of(expected[i]);
    if (memory != other.memory_of(found[i])) {
      return concat("tensor ", i, " in memory ", memory, " eagerly, ", other.memory_of(found[i]));
    }
    const bool is_at =
        is_same_layout(expected[i], found[i]) && expected[i].offset().is_same(found[i].offset());
    if (memory >= 0 && !is_at) {
      return concat("tensor ", i, ": ", place_text(expected[i]), " eagerly, ",
                    place_text(found[i]));
    }
    for (size_t j = 0; j < i; ++j) {
      if (expected[j].numel().value() == 0) continue;
      const bool shares = expected[i].shares_storage_with(expected[j]);
      if (shares != found[i].shares_storage_with(found[j])) {
        return concat("tensors ", j, " and ", i, shares ? " share" : " do not share",
                      " memory eagerly");
      }
      const Size between = expected[i].offset() - expected[j].offset();
      if (shares && !between.is_same(found[i].offset() - found[j].offset())) {
        return concat("tensors ", j, " and ", i, " lie ", between, " apart eagerly");
      }
    }
  }
  return {};
}

std::string compare(const Seen& eager, const Seen& other) {
  const auto all = [](const std::vector<Tensor>& expected, const std::vector<Tensor>& found,
                      std::string_view what) -> std::string {
    for (size_t i = 0; i < expected.size(); ++i) {
      const std::string wrong = compare_values(expected[i], found[i]);
      if (!wrong.empty()) return concat(what, " ", i, ": ", wrong);
    }
    return {};
  };
  const reference::UseReference by_reference;
  std::string wrong = all(eager.results, other.results, "result");
  if (wrong.empty()) wrong = all(eager.memories, other.memories, "memory");
  if (wrong.empty()) wrong = all(eager.arguments, other.arguments, "argument");
  return wrong.empty() ? compare_places(eager, other) : wrong;
}

std::vector<Tensor> run_captured(const ViewProgram& program, std::vector<Tensor>& arguments,
                                 const RunGraph& run_graph) {
  const ScopedKnob verifies(Knob::verify, "3");
  const auto function = [&](std::vector<Tensor>& given) { return run_program(program, given); };
  capture::FlatArguments flat;
  capture::flatten(flat, Location::current(), arguments);
  const capture::Captured captured =
      capture::capture(function, {.name = "views", .restores_aliases = true}, arguments);
  graph::verify(captured.graph);
  graph::PassContext context;
  const graph::Graph passed = graph::run_passes(captured.graph, graph::standard_passes(), context);
  const capture::CallInputs inputs(captured, flat.inputs);
  const std::vector<Tensor> outputs = run_graph(passed, inputs.all());
  return capture::deliver<std::vector<Tensor>>(captured, flat, outputs);
}

std::vector<Tensor> replayed(const graph::Graph& graph, std::span<const Tensor* const> inputs) {
  const reference::UseReference by_reference;
  std::vector<Tensor> tensors;
  for (const Tensor* input : inputs) tensors.push_back(*input);
  std::vector<Tensor> outputs = graph::replay(graph, tensors);
  graph::separate(outputs, tensors);
  for (Tensor& output : outputs) output = contiguous(output);
  return outputs;
}

std::vector<Tensor> interpreted(const graph::Graph& graph, std::span<const Tensor* const> inputs,
                                schedule::Target target, Plant defect) {
  schedule::Options options{.target = target};
  options.input_strides = driver::graph_options("views", inputs).input_strides;
  schedule::Plan plan = schedule::schedule(graph, options);
  plant(defect, plan);
  return run_plan(plan, graph, inputs);
}

Seen eagerly(const ViewProgram& program, uint64_t number) {
  return seen_after(program, number, [&](std::vector<Tensor>& arguments) {
    const reference::UseReference by_reference;
    return run_program(program, arguments);
  });
}

// In all its sizes, and the first ones again.
std::string run_in_all_sizes(const ViewProgram& program, const Call& call) {
  for (uint64_t number = 0; number <= call_count(program); ++number) {
    const Seen other = seen_after(program, number, call);
    const std::string wrong = compare(eagerly(program, number), other);
    if (!wrong.empty()) return concat("call ", number, ": ", wrong);
  }
  return {};
}

std::string run_compiled(const ViewProgram& program) {
  const auto function = compile(
      [&](std::vector<Tensor>& given) { return run_program(program, given); }, {.name = "views"});
  return run_in_all_sizes(program, function);
}

std::string run_resized(const ViewProgram& program) {
  ResizedProgram resized(program, replayed);
  return run_in_all_sizes(program,
                          [&](std::vector<Tensor>& arguments) { return resized.call(arguments); });
}

constexpr std::string_view kViewPathNames[] = {"replay", "cpu", "gpu", "resized", "compiled"};

}  // namespace

std::string_view name(ViewPath path) { return kViewPathNames[static_cast<size_t>(path)]; }

std::optional<ViewPath> find_view_path(std::string_view name) {
  const auto found = std::ranges::find(kViewPathNames, name);
  if (found == std::end(kViewPathNames)) return std::nullopt;
  return static_cast<ViewPath>(found - std::begin(kViewPathNames));
}

bool is_runnable(const ViewProgram& program) {
  try {
    for (uint64_t number = 0; number < call_count(program); ++number) eagerly(program, number);
    return true;
  } catch (const Error&) {
    return false;
  }
}

std::string run_on_path(const ViewProgram& program, ViewPath path, Plant plant) {
  try {
    if (path == ViewPath::compiled) return run_compiled(program);
    if (path == ViewPath::resized) return run_resized(program);
    const RunGraph run_graph = [&](const graph::Graph& graph,
                                   std::span<const Tensor* const> inputs) {
      if (path == ViewPath::replay) return replayed(graph, inputs);
      const bool is_cpu = path == ViewPath::cpu;
      return interpreted(graph, inputs, is_cpu ? schedule::Target::cpu : schedule::Target::gpu,
                         plant);
    };
    const Seen other = seen_after(program, 0, [&](std::vector<Tensor>& arguments) {
      return run_captured(program, arguments, run_graph);
    });
    return compare(eagerly(program, 0), other);
  } catch (const std::exception& error) {
    return concat("throws: ", error.what());
  }
}

}  // namespace ridge::fuzz

#include "tests/fuzz/paths.h"

#include <algorithm>

#include "ridge/aot/partition.h"
#include "ridge/base/text.h"
#include "ridge/core/device_copy.h"
#include "ridge/driver/pipeline.h"
#include "ridge/graph/control.h"
#include "ridge/graph/pass.h"
#include "ridge/graph/replay.h"
#include "ridge/linker/link.h"
#include "ridge/recompute/recompute_costs.h"
#include "ridge/reference/reference.h"
#include "tests/fuzz/batched_run.h"
#include "tests/fuzz/plan_runs.h"
#include "tests/fuzz/random_graph.h"
#include "tests/fuzz/symbolic_runs.h"

namespace ridge::fuzz {
namespace {

struct PathName {
  Path path;
  std::string_view name;
};
constexpr PathName kPathNames[] = {
    {Path::text, "text"},         {Path::reference, "reference"},
    {Path::batched, "batched"},   {Path::eager, "eager"},
    {Path::cpu, "cpu"},           {Path::gpu, "gpu"},
    {Path::compiled, "compiled"}, {Path::program, "program"},
    {Path::symbolic, "symbolic"}, {Path::cuda, "cuda"},
};

bool is_long(const graph::Graph& graph) {
  constexpr int64_t kLong = 100'000;
  return std::ranges::any_of(graph.values, [](const graph::Value& value) {
    return elements_of(value.type.shape) > kLong;
  });
}

class CaseRun {
 public:
  CaseRun(Case given, const RunOptions& options, RunCounts& counts)
      : given_(std::move(given)), options_(options), counts_(counts) {}

  std::optional<Failure> run() {
    expectation_ = expect(given_);
    counts_.nodes += static_cast<int64_t>(given_.graph.nodes.size());
    counts_.coverage.add(given_.graph);
    const std::span<const Path> paths = options_.only ? std::span(&*options_.only, 1) : all_paths();
    for (const Path path : paths) {
      if (!takes(path)) continue;
      if (options_.on_path) options_.on_path(path);
      std::string wrong;
      try {
        wrong = run_path(path);
      } catch (const std::exception& error) {
        wrong = concat("throws: ", error.what());
      }
      if (!wrong.empty()) return Failure{path, wrong};
    }
    return std::nullopt;
  }

 private:
  bool takes(Path path) const {
    switch (path) {
      case Path::cpu:
      case Path::gpu:
      case Path::compiled: return !graph::has_control(given_.graph);
      case Path::batched:
      case Path::symbolic: return !is_long(given_.graph);
      case Path::text:
      case Path::reference:
      case Path::eager:
      case Path::program:
      case Path::cuda: return true;
    }
    return true;
  }

  std::string run_path(Path path) {
    switch (path) {
      case Path::text: return text();
      case Path::reference: {
        const reference::UseReference by_reference;
        return replay();
      }
      case Path::batched: return batched();
      case Path::eager: return replay();
      case Path::cpu: return interpreted(schedule::Target::cpu);
      case Path::gpu: return interpreted(schedule::Target::gpu);
      case Path::compiled: return compiled();
      case Path::program: return program(kCpu);
      case Path::symbolic: return run_symbolic(given_, kCpu, counts_);
      case Path::cuda: return program({DeviceKind::cuda, 0});
    }
    return {};
  }

  std::string text() const {
    graph::verify(given_.graph);
    // Source lines do not come back.
    const graph::Graph again = graph::parse(graph::to_text(given_.graph));
    graph::verify(again);
    const std::string written = graph::to_text(again);
    if (graph::to_text(graph::parse(written)) != written) return "does not read back:\n" + written;
    return graph::hash(again) == graph::hash(given_.graph) ? "" : "reads back with another hash";
  }

  std::string replay() {
    const std::vector<Tensor> inputs = make_inputs(given_);
    const std::vector<Tensor> outputs = graph::replay(given_.graph, inputs);
    return judge(outputs, inputs);
  }

  std::string batched() {
    const reference::UseReference by_reference;
    const ExampleRun run = run_in_batch(given_);
    return judge(run.outputs, run.inputs);
  }

  const graph::Graph& passed() {
    if (!passed_) {
      graph::PassContext context;
      passed_ = graph::run_passes(given_.graph, graph::standard_passes(), context);
      graph::verify(*passed_);
    }
    return *passed_;
  }

  struct Planned {
    graph::Graph graph;
    schedule::Plan plan;
  };

  Planned plan(schedule::Target target, bool fuses) {
    schedule::Options options{.target = target, .fuses = fuses};
    options.input_strides = strides();
    Planned made{passed(), schedule::schedule(passed(), options)};
    if (recompute::has_gradients(made.graph)) recompute(made, options);
    for (const schedule::KernelCall& call : made.plan.calls) loop::verify(call.kernel);
    return made;
  }

  // Gradients keep what a random price of memory leaves them: all that is cheaper to keep, or nothing
  // that can be computed again, or something between.
  void recompute(Planned& made, const schedule::Options& options) const {
    constexpr double kCharges[] = {0, 1, 16, 1e6};
    const double charge = kCharges[given_.data_seed / 4 % std::size(kCharges)] *
                          recompute::picoseconds_per_read_byte(made.plan);
    const auto middle = static_cast<int32_t>(made.graph.values.size() / 2);
    if (given_.data_seed % 7 == 2) mark_checkpoints(made.graph);
    const auto costs = recompute::recompute_costs(made.graph, made.plan);
    const bool is_split = given_.data_seed % 5 == 0;
    made.graph = aot::recompute(
        made.graph, aot::partition(made.graph, costs, {charge, is_split ? 0 : charge, middle}));
    graph::verify(made.graph);
    made.plan = schedule::schedule(made.graph, options);
  }

  // A few nodes in a row are a region, then a few of none.
  static void mark_checkpoints(graph::Graph& graph) {
    constexpr size_t kLength = 4;
    for (size_t i = 0; i < graph.nodes.size(); ++i) {
      graph.nodes[i].region = static_cast<uint8_t>(i / kLength % 3);
    }
  }

  // A budget that can be met, of some of the cases with gradients.
  int64_t random_budget(Device device) {
    if (given_.data_seed % 3 != 1 || graph::has_control(given_.graph)) return 0;
    if (!recompute::has_gradients(passed())) return 0;
    schedule::Options options = linker::options_for(device);
    options.input_strides = strides();
    graph::PassContext context;
    const graph::Graph there = graph::run_passes(graph::on_device(given_.graph, device),
                                                 graph::standard_passes(), context);
    const auto points = recompute::memory_curve(there, options);
    return points[given_.data_seed / 3 % points.size()].peak_bytes;
  }

  std::vector<std::optional<Shape>> strides() const {
    std::vector<std::optional<Shape>> result;
    for (const Tensor& input : make_inputs(given_)) {
      result.push_back(input.is_contiguous() ? std::nullopt : std::optional(input.strides()));
    }
    return result;
  }

  std::string interpreted(schedule::Target target) {
    std::string wrong = interpreted(target, true);
    const bool is_also_unfused = given_.data_seed % 4 == 0;
    if (wrong.empty() && is_also_unfused) {
      wrong = interpreted(target, false);
      if (!wrong.empty()) wrong = "unfused: " + wrong;
    }
    return wrong;
  }

  std::string interpreted(schedule::Target target, bool fuses) {
    const Planned made = plan(target, fuses);
    counts_.kernels += static_cast<int64_t>(made.plan.calls.size());
    counts_.coverage.add(made.plan, target);
    const PlanRun run{made.plan, made.graph, make_inputs(given_)};
    // One edge on each machine, and tasks in both orders over the cases.
    const bool is_cpu = target == schedule::Target::cpu;
    const Edge edge = is_cpu == (given_.data_seed % 2 == 0) ? Edge::start : Edge::end;
    loop::Options options;
    options.reverse_tasks = given_.data_seed % 3 == 0;
    options.lanes = is_cpu ? 4 << given_.data_seed % 3 : 8;
    return judge(run.interpret(edge, options));
  }

  std::string compiled() {
    Planned made = plan(schedule::Target::cpu, true);
    plant(options_.plant, made.plan);
    const PlanRun run{made.plan, made.graph, make_inputs(given_)};
    const BuiltPlan built(made.plan);
    const Results first = run.launch(built, Edge::end, Threads::one);
    if (std::string wrong = judge(first); !wrong.empty()) return wrong;
    if (std::string wrong = first.difference(run.launch(built, Edge::start, Threads::backwards));
        !wrong.empty()) {
      return "tasks backwards: " + wrong;
    }
    const std::string wrong = first.difference(run.launch(built, Edge::end, Threads::all));
    return wrong.empty() ? wrong : "on all threads: " + wrong;
  }

  // Gradients were taken on the CPU, where a number may fill a tensor without naming a device; captured
  // on a GPU they would name it.
  static bool fills_elsewhere(const graph::Graph& graph, Device device) {
    return std::ranges::any_of(graph.values, [device](const graph::Value& value) {
      return value.node >= 0 && value.type.device != device && !value.type.shape.empty();
    });
  }

  std::string program(Device device) {
    graph::Graph there = graph::on_device(given_.graph, device);
    if (fills_elsewhere(there, device)) throw NotJudgeable();
    driver::GraphOptions options{.name = "fuzz"};
    options.input_strides = strides();
    options.memory_budget = random_budget(device);
    const driver::CompiledGraph made(std::move(there), options);
    std::vector<Tensor> inputs = make_inputs(given_);
    for (Tensor& input : inputs) input = to_device(input, device);
    std::vector<const Tensor*> pointers;
    for (const Tensor& input : inputs) pointers.push_back(&input);
    std::vector<Tensor> outputs = made.run(pointers);
    for (Tensor& output : outputs) output = to_device(output, kCpu);
    for (Tensor& input : inputs) input = to_device(input, kCpu);
    return judge(outputs, inputs);
  }

  std::string judge(const Results& results) {
    return results.problem.empty() ? judge(results.outputs, results.inputs) : results.problem;
  }

  std::string judge(std::span<const Tensor> outputs, std::span<const Tensor> inputs) {
    if (outputs.size() != expectation_.outputs.size()) {
      return concat(outputs.size(), " outputs instead of ", expectation_.outputs.size());
    }
    for (size_t i = 0; i < outputs.size(); ++i) {
      const std::string wrong = compare(expectation_.outputs[i], outputs[i], counts_.judged);
      if (!wrong.empty()) return concat("output ", i, ": ", wrong);
    }
    JudgedCounts not_counted;
    for (size_t i = 0; i < inputs.size(); ++i) {
      const std::string wrong = compare(expectation_.inputs[i], inputs[i], not_counted);
      if (!wrong.empty()) return concat("input ", i, " afterwards: ", wrong);
    }
    return {};
  }

  const Case given_;
  const RunOptions& options_;
  RunCounts& counts_;
  Expectation expectation_;
  std::optional<graph::Graph> passed_;
};

}  // namespace

std::string_view name(Path path) { return kPathNames[static_cast<size_t>(path)].name; }

std::optional<Path> find_path(std::string_view name) {
  for (const PathName& entry : kPathNames) {
    if (entry.name == name) return entry.path;
  }
  return std::nullopt;
}

std::span<const Path> all_paths() {
  static constexpr Path paths[] = {Path::text,     Path::reference, Path::batched,
                                   Path::eager,    Path::cpu,       Path::gpu,
                                   Path::compiled, Path::program,   Path::symbolic};
  return paths;
}

std::optional<Failure> run_case(const Case& given, const RunOptions& options, RunCounts& counts) {
  if (!given.has_gradients) return CaseRun(given, options, counts).run();
  return CaseRun(with_gradients(given), options, counts).run();
}

}  // namespace ridge::fuzz

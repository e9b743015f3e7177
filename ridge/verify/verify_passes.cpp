#include "ridge/verify/verify_passes.h"

#include <algorithm>
#include <cmath>

#include "ridge/base/log.h"
#include "ridge/base/text.h"
#include "ridge/core/device_copy.h"
#include "ridge/dispatch/thread_state.h"
#include "ridge/graph/control.h"
#include "ridge/graph/pass.h"
#include "ridge/graph/replay.h"
#include "ridge/graph/symbols.h"
#include "ridge/reference/reference.h"
#include "ridge/verify/oracle.h"

namespace ridge::verify {
namespace {

using graph::Graph;

// Outputs, and what inputs are updated with, as outputs: no pass changes how many there are.
Graph without_updates(Graph graph) {
  for (const graph::ValueId input : graph.inputs) {
    const auto update = std::ranges::find(graph.updates, input, &graph::Update::input);
    graph.outputs.push_back(update == graph.updates.end() ? input : update->value);
  }
  graph.updates.clear();
  return graph;
}

// Where a graph writes or chooses there is no oracle: the rule, with the largest result.
std::vector<double> plain_bounds(const Tensor& expected) {
  const std::vector<double> values = expected.to_vector<double>();
  double largest = 1;
  for (const double value : values) {
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  }
  const DType dtype = expected.dtype();
  std::vector<double> allowed(values.size());
  if (!is_floating(dtype)) return allowed;
  const double sway = reference::working_epsilon(dtype) * largest;
  const auto length = static_cast<double>(values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    allowed[i] = reference::tolerance(dtype, length, values[i], sway);
  }
  return allowed;
}

std::string place_of(const Graph& graph, size_t result) {
  if (result < graph.outputs.size()) return concat("output ", result);
  const std::string& name = graph[graph.inputs[result - graph.outputs.size()]].name;
  return name.empty() ? concat("input ", result - graph.outputs.size()) : "`" + name + "`";
}

bool is_equal(const Tensor& a, const Tensor& b) {
  const std::vector<double> left = a.to_vector<double>(), right = b.to_vector<double>();
  return std::ranges::equal(
      left, right, [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); });
}

}  // namespace

std::vector<Tensor> results_by_reference(const Graph& graph, std::span<const Tensor> inputs) {
  using dispatch::Key;
  const reference::UseReference by_reference;
  const dispatch::ExcludeKeys values_only({Key::trace, Key::autograd, Key::autocast, Key::profile});
  std::vector<Tensor> given;
  for (const Tensor& input : inputs) given.push_back(host_copy(input));
  std::vector<Tensor> results = graph::replay(graph::on_device(graph, kCpu), given);
  graph::separate(results, given);
  results.insert(results.end(), given.begin(), given.end());
  return results;
}

std::string difference(const Graph& graph, std::span<const Tensor> inputs,
                       std::span<const Tensor> expected, std::span<const Tensor> ours) {
  std::optional<Graph> functional;
  std::optional<Oracle> oracle;
  for (size_t i = 0; i < expected.size(); ++i) {
    const graph::Type type{expected[i].dtype(), expected[i].shape()};
    const bool is_same_type =
        ours[i].dtype() == type.dtype && ours[i].shape() == expected[i].shape();
    if (!is_same_type) {
      return concat(describe(ours[i]), " as ", place_of(graph, i), ", expected ", to_text(type));
    }
    if (is_storage_only(type.dtype) || is_equal(ours[i], expected[i])) continue;
    std::optional<reference::Mismatch> mismatch;
    if (graph::is_functional(graph) && !graph::has_control(graph)) {
      if (!oracle) {
        functional = graph::on_device(without_updates(graph), kCpu);
        functional = graph::substitute(*functional, graph::bind_symbols(*functional, inputs));
        oracle.emplace(*functional, std::vector<Tensor>(inputs.begin(), inputs.end()));
      }
      mismatch = oracle->judge(i, ours[i]);
    } else {
      mismatch = reference::worst_mismatch(
          ours[i].to_vector<double>(), expected[i].to_vector<double>(), plain_bounds(expected[i]));
    }
    if (!mismatch) continue;
    return concat(mismatch->ours, " in ", place_of(graph, i), ", expected ",
                  expected_text(*mismatch, type.shape));
  }
  return {};
}

void check_passes(const Graph& captured, std::span<const Tensor> inputs) {
  graph::PassContext trial;
  const Graph last = graph::run_passes(captured, graph::standard_passes(), trial);
  if (reference_points(graph::substitute(last, graph::bind_symbols(last, inputs))) >
      kMostReferencePoints) {
    log(LogLevel::warning, "verify",
        concat("passes over ", captured.name, " were not checked: the reference takes too long"));
    return;
  }
  graph::PassContext context;
  Graph before = captured;
  std::vector<Tensor> expected = results_by_reference(before, inputs);
  for (const graph::Pass& pass : graph::standard_passes()) {
    Graph after = graph::run_passes(before, std::span(&pass, 1), context);
    if (context.runs.back().outcome != graph::PassRun::Outcome::changed) continue;
    std::vector<Tensor> ours = results_by_reference(after, inputs);
    // How far rounding goes is not known of control flow.
    const bool is_judged = pass.keeps_bits || !graph::has_control(before);
    const std::string wrong = is_judged ? difference(before, inputs, expected, ours) : "";
    if (!wrong.empty()) {
      throw WrongPass({.code = ErrorCode::internal,
                       .op = concat("pass ", pass.name),
                       .expected = "the results of the graph it was given",
                       .given = wrong},
                      std::string(pass.name));
    }
    before = std::move(after);
    expected = std::move(ours);
  }
}

}  // namespace ridge::verify

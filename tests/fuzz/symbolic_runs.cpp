#include "tests/fuzz/symbolic_runs.h"

#include <algorithm>
#include <map>

#include "ridge/base/text.h"
#include "ridge/core/device_copy.h"
#include "ridge/driver/compile.h"
#include "ridge/graph/control.h"
#include "ridge/graph/replay.h"
#include "tests/fuzz/graph_cut.h"

namespace ridge::fuzz {
namespace {

using graph::Graph;

// More programs than this for the sizes below would be a storm: a static one, those for all sizes in
// layouts that differ, those for 0 and 1.
constexpr size_t kMostPrograms = 5;

// The sizes that could change: of inputs, larger than 1.
std::vector<int64_t> sizes_in(const Graph& graph) {
  std::vector<int64_t> sizes;
  for (const graph::ValueId id : graph.inputs) {
    for (const Size& size : graph[id].type.shape) {
      if (known(size) > 1) sizes.push_back(known(size));
    }
  }
  return sizes;
}

void replace(Shape& shape, int64_t from, const Size& to) {
  for (Size& size : shape) {
    if (size.known() == from) size = to;
  }
}

void replace(Graph& graph, int64_t from, const Size& to) {
  for (graph::Value& value : graph.values) replace(value.type.shape, from, to);
  for (graph::Node& node : graph.nodes) {
    for (graph::Argument& arg : node.args) {
      if (auto* shape = std::get_if<Shape>(&arg)) replace(*shape, from, to);
    }
  }
}

// Where the inputs have the size now, the graph has it too. Bodies of control flow have types of their
// own, with sizes that follow from this one in any way: such a graph is `made` for each number.
std::vector<Tensor> replay_at(const Graph& given, const std::map<int64_t, Graph>& made,
                              Device device, int64_t from, const std::vector<Tensor>& inputs) {
  Size now = from;
  for (size_t i = given.inputs.size(); i-- > 0;) {
    const Shape& shape = given[given.inputs[i]].type.shape;
    for (size_t dim = 0; dim < shape.size(); ++dim) {
      if (shape[dim].known() == from) now = inputs[i].shape()[dim];
    }
  }
  if (graph::has_control(given)) {
    // Another input may have had this size by chance, and has one now that no graph was made for.
    const auto found = made.find(now.value());
    if (found == made.end()) throw NotJudgeable();
    return graph::replay(graph::on_device(found->second, device), inputs);
  }
  Graph graph = graph::on_device(given, device);
  replace(graph, from, now);
  return graph::replay(graph, inputs);
}

std::string judge(const Expectation& right, std::span<const Tensor> outputs,
                  std::span<const Tensor> inputs, RunCounts& counts) {
  for (size_t i = 0; i < outputs.size(); ++i) {
    const Tensor here = to_device(outputs[i], kCpu);
    const std::string wrong = compare(right.outputs[i], here, counts.judged);
    if (!wrong.empty()) return concat("output ", i, ": ", wrong);
  }
  JudgedCounts not_counted;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const std::string wrong = compare(right.inputs[i], to_device(inputs[i], kCpu), not_counted);
    if (!wrong.empty()) return concat("input ", i, " afterwards: ", wrong);
  }
  return {};
}

}  // namespace

std::string run_symbolic(const Case& given, Device device, RunCounts& counts) {
  const std::vector<int64_t> sizes = sizes_in(with_outputs(given.graph, given.graph.outputs));
  if (sizes.empty()) return {};
  const int64_t from = sizes[given.data_seed % sizes.size()];
  const auto base = with_size(given.graph, from, from);
  if (!base) return {};
  std::map<int64_t, Graph> made;
  const auto program = compile(
      [&](std::vector<Tensor>& inputs) { return replay_at(*base, made, device, from, inputs); },
      {.name = "fuzz", .dynamic = given.data_seed % 3 == 0 ? Dynamic::always : Dynamic::automatic});
  for (const int64_t size : {from, from + 1, int64_t{1}, int64_t{0}, 2 * from + 1, from}) {
    const auto resized = with_size(given.graph, from, size);
    if (!resized || resized->inputs.size() != base->inputs.size()) continue;
    if (graph::has_control(*base)) {
      auto one = with_size(*base, from, size);
      if (!one) continue;
      made.insert_or_assign(size, std::move(*one));
    }
    const Case one{*resized, given.data_seed};
    Expectation right;
    try {
      right = expect(one);
    } catch (const NotJudgeable&) {
      continue;
    } catch (const Error&) {
      continue;  // no call at this size: an index into what is empty
    }
    std::vector<Tensor> inputs = make_inputs(one);
    for (Tensor& input : inputs) input = to_device(input, device);
    std::vector<Tensor> outputs;
    try {
      outputs = program(inputs);
    } catch (const NotJudgeable&) {
      continue;
    }
    const std::string wrong = judge(right, outputs, inputs, counts);
    if (!wrong.empty()) return concat(size, " in place of ", from, ": ", wrong);
  }
  const size_t programs = program.programs().size();
  return programs > kMostPrograms ? concat(programs, " programs for five sizes") : std::string();
}

}  // namespace ridge::fuzz

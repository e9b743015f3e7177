#include "ridge/aot/check_used.h"

#include <algorithm>

#include "ridge/base/text.h"
#include "ridge/graph/recorder.h"

namespace ridge::aot {

using graph::ValueId;
using graph::ValueIds;

namespace {

// By value: is it on a way to this one?
std::vector<bool> values_behind(const graph::Graph& graph, ValueId value) {
  std::vector<bool> is_behind(graph.values.size());
  const auto flag = [&](ValueId id) { return is_behind[static_cast<size_t>(id.index)]; };
  is_behind[static_cast<size_t>(value.index)] = true;
  for (auto node = graph.nodes.rbegin(); node != graph.nodes.rend(); ++node) {
    if (std::none_of(node->results.begin(), node->results.end(), flag)) continue;
    for (const ValueId operand : graph::operands(*node)) {
      is_behind[static_cast<size_t>(operand.index)] = true;
    }
  }
  return is_behind;
}

// In the capture that it belongs to; empty for a tensor with elements, and for what was computed.
std::string name_in_program(const Tensor& tensor) {
  for (graph::Recorder* r = graph::Recorder::active(); r != nullptr; r = r->enclosing()) {
    if (r->owns(tensor)) return r->graph()[r->id(tensor)].name;
  }
  return {};
}

}  // namespace

void check_used(const graph::Graph& graph, ValueId value, const ValueIds& inputs,
                const std::vector<Tensor>& given, Location where) {
  const std::vector<bool> is_behind = values_behind(graph, value);
  std::string first;
  int64_t count = 0;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const graph::Value& input = graph[inputs[i]];
    if (is_behind[static_cast<size_t>(inputs[i].index)] || count++ > 0) continue;
    const std::string name = name_in_program(given[i]);
    first = concat(name.empty() ? input.name : name, ", ", to_text(input.type));
  }
  RIDGE_CHECK(count == 0, .code = ErrorCode::gradient, .op = graph.name,
              .expected = "a loss that depends on every parameter",
              .given = count == 1 ? concat("one that does not depend on ", first)
                                  : concat("one that does not depend on ", count,
                                           " of them, the first being ", first),
              .hint =
                  "leave it out of the first argument, or ask for zeros: "
                  "GradientOptions{.allow_unused = true}",
              .where = where);
}

}  // namespace ridge::aot

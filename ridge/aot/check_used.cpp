#include "ridge/aot/check_used.h"

#include "ridge/base/text.h"

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

}  // namespace

void check_used(const graph::Graph& graph, ValueId value, const ValueIds& inputs, Location where) {
  const std::vector<bool> is_behind = values_behind(graph, value);
  std::string first;
  int64_t count = 0;
  for (const ValueId input : inputs) {
    if (is_behind[static_cast<size_t>(input.index)]) continue;
    if (count++ == 0) first = concat(graph[input].name, ", ", to_text(graph[input].type));
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

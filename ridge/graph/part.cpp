#include "ridge/graph/part.h"

#include <utility>

namespace ridge::graph {

Part::Part(const Graph& whole, std::string name) : whole_(whole), ids_(whole.values.size()) {
  part_.name = std::move(name);
}

void Part::copy(const Node& node) {
  Node copied = node;
  replace_operands(copied, [this](ValueId id) { return read(id); });
  std::vector<Type> types;
  for (const ValueId id : node.results) types.push_back(whole_[id].type);
  const int32_t position =
      part_.add_node(*copied.op, std::move(copied.args), std::move(types), node.where, node.scope);
  Node& added = part_.nodes[static_cast<size_t>(position)];
  copy_marks(added, node);
  const ValueIds& results = added.results;
  for (size_t i = 0; i < results.size(); ++i) now(node.results[i]) = results[i];
}

ValueId Part::read(ValueId id) {
  ValueId& there = now(id);
  if (there.index >= 0) return there;
  if (whole_[id].constant.defined()) return there = part_.add_constant(whole_[id].constant);
  inputs_.push_back(id);
  return there = part_.add_input(whole_[id].type, whole_[id].name);
}

}  // namespace ridge::graph

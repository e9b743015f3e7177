#include <algorithm>
#include <optional>

#include "ridge/expr/simplify.h"
#include "ridge/schedule/domain.h"
#include "ridge/schedule/node_definition.h"

namespace ridge::schedule {
namespace {

// A value that is stored as a part of another one.
struct Part {
  ValueId from;
  std::vector<Expr> position;  // in the whole, over the axes of `from`
};

// Sizes other than 1, and which axes have them.
std::vector<size_t> wide_axes(const Shape& shape) {
  std::vector<size_t> axes;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i].known() != 1) axes.push_back(i);
  }
  return axes;
}

// The index into a value at which a view of it, that shows each element once, shows the element at
// the axes of what it views. Nothing where that is not plain to see.
std::optional<std::vector<Expr>> inverse_of(const NodeDefinition& view, const Shape& viewed) {
  const std::span<const Expr> shown(view.definition.value->args.data(),
                                    view.definition.value->args.size());
  std::vector<Expr> inverse(view.shape.size(), Expr(0));
  const std::vector<size_t> wide = wide_axes(viewed), seen = wide_axes(view.shape);
  if (wide.size() != seen.size()) return std::nullopt;
  std::vector<bool> is_found(view.shape.size());
  for (const size_t dim : wide) {
    const Expr index = expr::simplify(shown[dim], ranges_of(view.shape));
    if (index->kind != expr::Kind::axis) return std::nullopt;
    const auto axis = static_cast<size_t>(index->index);
    if (is_found[axis] || !view.shape[axis].is_same(viewed[dim])) return std::nullopt;
    is_found[axis] = true;
    inverse[axis] = expr::axis(static_cast<int>(dim));
  }
  return inverse;
}

std::vector<Expr> composed(const std::vector<Expr>& outer, const std::vector<Expr>& inner) {
  std::vector<Expr> result;
  for (const Expr& index : outer) result.push_back(substitute_axes(index, inner));
  return result;
}

class Search {
 public:
  Search(const Graph& graph, const std::vector<NodeDefinition>& node_definitions)
      : graph_(graph), node_definitions_(node_definitions) {}

  // The nodes from the input to what it is updated with, last first; none if others are between.
  std::vector<int32_t> chain(const graph::Update& update) const {
    std::vector<int32_t> nodes;
    for (ValueId value = update.value; value != update.input;) {
      const int32_t node = graph_[value].node;
      if (node < 0 || node_definition(node).overwrites.empty()) return {};
      nodes.push_back(node);
      value = node_definition(node).operands[0];
    }
    return nodes;
  }

  // What a node writes, as the smallest part of the whole that can be seen from here.
  Part part(int32_t node) const {
    const ValueId whole = node_definition(node).operands[0];
    Part found{node_definition(node).operands[1], node_definition(node).overwrites};
    while (const std::optional<Part> smaller = part_within(found, whole)) found = *smaller;
    return found;
  }

 private:
  const NodeDefinition& node_definition(int32_t node) const {
    return node_definitions_[static_cast<size_t>(node)];
  }
  const Shape& shape(ValueId id) const { return graph_[id].type.shape; }

  // Where `found.from` is a part of the whole, but for a part of that: the latter.
  std::optional<Part> part_within(const Part& found, ValueId whole) const {
    Part at = found;
    for (int32_t node = graph_[at.from].node; node >= 0; node = graph_[at.from].node) {
      const NodeDefinition& m = node_definition(node);
      if (!m.overwrites.empty()) {
        if (!shows(m.operands[0], at.position, whole)) return std::nullopt;
        return Part{m.operands[1], composed(at.position, m.overwrites)};
      }
      if (!m.is_view(graph_)) return std::nullopt;
      const ValueId viewed = m.operands[static_cast<size_t>(m.definition.value->index)];
      const auto inverse = inverse_of(m, shape(viewed));
      if (!inverse) return std::nullopt;
      at = {viewed, composed(at.position, *inverse)};
    }
    return std::nullopt;
  }

  // Is the value, at each index, the element of the whole at that position?
  bool shows(ValueId value, const std::vector<Expr>& position, ValueId whole) const {
    const Shape& extents = shape(value);
    std::vector<Expr> index = ops::all_axes(extents.size());
    while (value != whole) {
      const int32_t node = graph_[value].node;
      if (node < 0 || !node_definition(node).is_view(graph_)) return false;
      const Expr& load = node_definition(node).definition.value;
      index = composed({load->args.begin(), load->args.end()}, index);
      value = node_definition(node).operands[static_cast<size_t>(load->index)];
    }
    return expr::same(linear_position(index, shape(whole), extents),
                      linear_position(position, shape(whole), extents));
  }

  const Graph& graph_;
  const std::vector<NodeDefinition>& node_definitions_;
};

// Is it little enough that a kernel of its own pays, beside one that passes over the whole anyway?
bool is_small(const std::vector<Part>& parts, const Graph& graph, ValueId input) {
  int64_t written = 0;
  for (const Part& part : parts) written += numel(graph[part.from].type.shape).hint_or(0);
  return 2 * written <= numel(graph[input].type.shape).hint_or(0);
}

void store_part(NodeDefinition& node_definition, const Part& part, const Graph& graph) {
  const Shape& shape = graph[part.from].type.shape;
  node_definition.over = node_definition.operands[0];
  node_definition.written = part.position;
  node_definition.operands = {part.from};
  node_definition.compute = {node_definition.dtype};
  node_definition.definition = {
      .extents = shape,
      .output_rank = shape.size(),
      .value = expr::load(0, scalar_type(node_definition.dtype), ops::all_axes(shape.size()))};
}

}  // namespace

void write_in_place(const Graph& graph, std::vector<NodeDefinition>& node_definitions,
                    const std::vector<ValueId>& refused) {
  for (const graph::Update& update : graph.updates) {
    if (std::ranges::find(refused, update.input) != refused.end()) continue;
    const Search search(graph, node_definitions);
    const std::vector<int32_t> nodes = search.chain(update);
    std::vector<Part> parts;
    for (const int32_t node : nodes) parts.push_back(search.part(node));
    if (nodes.empty() || !is_small(parts, graph, update.input)) continue;
    for (size_t i = 0; i < nodes.size(); ++i) {
      store_part(node_definitions[static_cast<size_t>(nodes[i])], parts[i], graph);
    }
  }
}

}  // namespace ridge::schedule

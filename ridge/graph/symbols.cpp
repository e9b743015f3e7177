#include "ridge/graph/symbols.h"

#include <algorithm>
#include <utility>

#include "ridge/base/text.h"

namespace ridge::graph {

void for_each_size(const Graph& graph, const std::function<void(const Size&)>& visit) {
  const auto visit_shape = [&](const Shape& shape) {
    for (const Size& size : shape) visit(size);
  };
  for (const ValueId id : graph.inputs) {
    visit_shape(graph[id].type.shape);
    if (graph[id].strides) visit_shape(*graph[id].strides);
  }
  for (const Node& node : graph.nodes) {
    for (const Argument& arg : node.args) {
      if (const auto* shape = std::get_if<Shape>(&arg)) visit_shape(*shape);
      if (const auto* body = std::get_if<Body>(&arg)) for_each_size(**body, visit);
    }
    for (const ValueId id : node.results) visit_shape(graph[id].type.shape);
  }
}

std::vector<Ref<const expr::Symbol>> symbols_of(const Graph& graph) {
  std::map<std::pair<std::string, uint64_t>, Ref<const expr::Symbol>> found;
  for_each_size(graph, [&](const Size& size) {
    if (!size.is_symbolic()) return;
    expr::walk(size.expression(), [&](const expr::Expr& e) {
      if (e->kind == expr::Kind::symbol) found[{e->symbol->name(), e->symbol->id()}] = e->symbol;
    });
  });
  std::vector<Ref<const expr::Symbol>> symbols;
  for (const auto& [key, symbol] : found) symbols.push_back(symbol);
  return symbols;
}

Size substitute(const Size& size, const SymbolSizes& sizes) {
  if (!size.is_symbolic() || sizes.empty()) return size;
  return Size(expr::transform(size.expression(), [&](const expr::Expr& e) {
    if (e->kind != expr::Kind::symbol) return e;
    const auto found = sizes.find(e->symbol->id());
    return found != sizes.end() ? found->second.expression() : e;
  }));
}

Shape substitute(const Shape& shape, const SymbolSizes& sizes) {
  Shape result;
  for (const Size& size : shape) result.push_back(substitute(size, sizes));
  return result;
}

Graph substitute(Graph graph, const SymbolSizes& sizes) {
  for (Value& value : graph.values) {
    value.type.shape = substitute(value.type.shape, sizes);
    if (value.strides) value.strides = substitute(*value.strides, sizes);
  }
  for (Node& node : graph.nodes) {
    for (Argument& arg : node.args) arg = substitute(std::move(arg), sizes);
  }
  return graph;
}

Argument substitute(Argument arg, const SymbolSizes& sizes) {
  if (const auto* shape = std::get_if<Shape>(&arg)) return substitute(*shape, sizes);
  if (const auto* body = std::get_if<Body>(&arg)) {
    return std::make_shared<const Graph>(substitute(**body, sizes));
  }
  return arg;
}

SymbolSizes bind_symbols(const Graph& graph, std::span<const Tensor> inputs) {
  SymbolSizes sizes;
  for (size_t i = 0; i < graph.inputs.size(); ++i) {
    const Shape& shape = graph[graph.inputs[i]].type.shape;
    const Shape& given = inputs[i].shape();
    for (size_t dim = 0; dim < std::min(shape.size(), given.size()); ++dim) {
      if (!shape[dim].is_symbolic()) continue;
      const expr::Expr e = shape[dim].expression();
      if (e->kind == expr::Kind::symbol) sizes.emplace(e->symbol->id(), given[dim]);
    }
  }
  for (size_t i = 0; i < graph.inputs.size(); ++i) {
    const Type& type = graph[graph.inputs[i]].type;
    const Shape expected = substitute(type.shape, sizes);
    const Shape& given = inputs[i].shape();
    RIDGE_CHECK(inputs[i].dtype() == type.dtype && expected.size() == given.size() &&
                    std::ranges::equal(expected, given,
                                       [](const Size& a, const Size& b) { return a == b; }),
                .code = ErrorCode::shape, .op = graph.name,
                .expected = concat("input ", i, " of type ", name(type.dtype), expected),
                .given = describe(inputs[i]));
  }
  return sizes;
}

SymbolSizes sizes_of(std::span<const Ref<const expr::Symbol>> symbols,
                     std::span<const int64_t> values) {
  SymbolSizes sizes;
  for (size_t i = 0; i < symbols.size(); ++i) sizes.emplace(symbols[i]->id(), values[i]);
  return sizes;
}

Graph with_values(Graph graph, std::span<const Ref<const expr::Symbol>> symbols,
                  std::span<const int64_t> values) {
  return substitute(std::move(graph), sizes_of(symbols, values));
}

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

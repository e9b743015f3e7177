#include "ridge/base/hash.h"

#include <map>

#include "ridge/expr/text.h"
#include "ridge/graph/constant_text.h"
#include "ridge/graph/graph.h"
#include "ridge/graph/symbols.h"

namespace ridge::graph {
namespace {

// Of symbols, their place among those of the graph: names and hints change no result.
using SymbolWords = std::map<uint64_t, std::string>;

class GraphHasher {
 public:
  GraphHasher(const Graph& graph, const SymbolWords& symbols) : graph_(graph), symbols_(symbols) {
    number_values();
  }

  uint64_t run() {
    hasher_.combine(graph_.inputs.size());
    for (const ValueId id : graph_.inputs) add_input(graph_[id]);
    for (const Value& value : graph_.values) {
      if (value.constant.defined()) add_constant(value);
    }
    hasher_.combine(graph_.nodes.size());
    for (const Node& node : graph_.nodes) add(node);
    add(graph_.outputs);
    hasher_.combine(graph_.updates.size());
    for (const Update& u : graph_.updates) {
      add(u.input);
      add(u.value);
    }
    return hasher_.digest();
  }

 private:
  // In the order of definitions, whatever place the graph keeps them at.
  void number_values() {
    int32_t next = 0;
    numbers_.resize(graph_.values.size());
    const auto number = [&](ValueId id) { numbers_[static_cast<size_t>(id.index)] = next++; };
    for (const ValueId id : graph_.inputs) number(id);
    for (size_t i = 0; i < graph_.values.size(); ++i) {
      if (graph_.values[i].constant.defined()) number({static_cast<int32_t>(i)});
    }
    for (const Node& node : graph_.nodes) {
      for (const ValueId id : node.results) number(id);
    }
  }

  void add(ValueId id) {
    hasher_.combine(id.index < 0 ? -1 : numbers_[static_cast<size_t>(id.index)]);
  }
  void add(const ValueIds& ids) {
    hasher_.combine(ids.size());
    for (const ValueId id : ids) add(id);
  }
  void add(const Size& size) {
    if (const auto known = size.known()) {
      hasher_.combine(*known);
      return;
    }
    hasher_.combine(expr::to_text(size.expression(), [this](const expr::Node& node) {
      return node.kind == expr::Kind::symbol ? symbols_.at(node.symbol->id()) : std::string();
    }));
  }
  void add(const Shape& shape) {
    hasher_.combine(shape.size());
    for (const Size& size : shape) add(size);
  }
  void add(DType dtype) { hasher_.combine(dtype.kind).combine(dtype.bits); }
  void add(Device device) { hasher_.combine(device.kind).combine(device.index); }
  void add(const Type& type) {
    add(type.dtype);
    add(type.shape);
    hasher_.combine(type.is_weak);
    add(type.device);
  }
  void add_input(const Value& value) {
    add(value.type);
    hasher_.combine(value.strides.has_value());
    if (value.strides) add(*value.strides);
  }
  void add_constant(const Value& value) {
    add(value.type);
    hasher_.combine(constant_digest(value.constant));
  }

  void add(std::monostate) {}
  void add(int64_t number) { hasher_.combine(number); }
  void add(double number) { hasher_.combine(number); }
  void add(bool flag) { hasher_.combine(flag); }
  void add(const Ints& list) { hasher_.combine(list); }
  void add(const Body& body) { hasher_.combine(GraphHasher(*body, symbols_).run()); }

  void add(const Node& node) {
    hasher_.combine(node.op->name());
    for (const Argument& arg : node.args) {
      hasher_.combine(arg.index());
      std::visit([this](const auto& held) { add(held); }, arg);
    }
    for (const ValueId id : node.results) {
      const Value& value = graph_[id];
      add(value.type);
      add(value.alias.value_or(ValueId{}));
    }
    const FunctionForms forms = node.forms.value_or(FunctionForms{});
    hasher_.combine(node.token).combine(node.phase).combine(node.region).combine(node.rounds);
    hasher_.combine(forms.precision).combine(forms.is_near);
  }

  const Graph& graph_;
  const SymbolWords& symbols_;
  Hasher hasher_;
  std::vector<int32_t> numbers_;  // of values
};

}  // namespace

uint64_t hash(const Graph& graph) {
  Hasher ranges;
  SymbolWords symbols;
  for (const Ref<const expr::Symbol>& symbol : symbols_of(graph)) {
    symbols.emplace(symbol->id(), "s" + std::to_string(symbols.size()));
    ranges.combine(to_text(symbol->range()));
  }
  return ranges.combine(GraphHasher(graph, symbols).run()).digest();
}

}  // namespace ridge::graph

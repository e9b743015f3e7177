// Graphs made of a graph: with sizes in the place of its symbols, and a part as a graph of its own.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "ridge/graph/graph.h"

namespace ridge::graph {

// Calls visit(size) for each size in types and arguments, inputs first.
void for_each_size(const Graph& graph, const std::function<void(const Size&)>& visit);

// Those that occur anywhere, by name and then age.
std::vector<Ref<const expr::Symbol>> symbols_of(const Graph& graph);

// Sizes for symbols, by the symbol's id.
using SymbolSizes = std::map<uint64_t, Size>;

// What makes the shapes of the inputs equal to those of the given tensors. Error{shape} names an
// input where nothing does. Sizes that hold more than one symbol are compared, not solved for.
SymbolSizes bind_symbols(const Graph& graph, std::span<const Tensor> inputs);

// The graph with a number in the place of each symbol, in order.
Graph with_values(Graph graph, std::span<const Ref<const expr::Symbol>> symbols,
                  std::span<const int64_t> values);
SymbolSizes sizes_of(std::span<const Ref<const expr::Symbol>> symbols,
                     std::span<const int64_t> values);

Size substitute(const Size& size, const SymbolSizes& sizes);
Shape substitute(const Shape& shape, const SymbolSizes& sizes);
// In shapes, and in bodies.
Argument substitute(Argument arg, const SymbolSizes& sizes);
Graph substitute(Graph graph, const SymbolSizes& sizes);

// Part of a graph as a graph of its own; what it reads of the rest becomes its inputs.
//
//   whole: a = f(x); b = g(a); c = h(b, x)
//   Part part(whole, "tail"); part.copy(<h>); part.add_output(c);
//   part.take()         graph tail(%0 "b", %1 "x") { %2 = h(%0, %1); return %2 }
//   part.inputs()       {b, x}, values of the whole graph
//
// Constants come along. Nodes are copied in an order where definitions come before uses.

class Part {
 public:
  // The graph must outlive it.
  Part(const Graph& whole, std::string name);

  void copy(const Node& node);
  void add_output(ValueId id) { part_.outputs.push_back(read(id)); }
  void add_update(const Update& u) { part_.updates.push_back({read(u.input), read(u.value)}); }

  const ValueIds& inputs() const { return inputs_; }  // of the whole graph
  Graph take() { return std::move(part_); }

 private:
  ValueId read(ValueId id);
  ValueId& now(ValueId id) { return ids_[static_cast<size_t>(id.index)]; }

  const Graph& whole_;
  Graph part_;
  ValueIds ids_;  // by value of the whole graph
  ValueIds inputs_;
};

}  // namespace ridge::graph

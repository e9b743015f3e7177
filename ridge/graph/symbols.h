// The symbols of a graph: which there are, and putting sizes in their place.
#pragma once

#include <functional>
#include <map>
#include <span>
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

}  // namespace ridge::graph

// The verifier, for who knows where the nodes of a graph come from.
#pragma once

#include <functional>
#include <string>

#include "ridge/graph/graph.h"

namespace ridge::graph {

// As `verify` of graph.h; errors are of this code and name the place of the node, or of the whole.
struct Origin {
  ErrorCode code = ErrorCode::internal;
  std::function<std::string(const Node* node)> place{};  // null: of no node
};
void verify(const Graph& graph, const Origin& origin);

// Are sizes equal for every value of the symbols or, where that cannot be proven, for the values they had
// when the graph was captured? A guard then stands for it.
bool is_equal(const Size& a, const Size& b);
bool is_equal(const Shape& a, const Shape& b);
bool is_equal(const Type& a, const Type& b);

}  // namespace ridge::graph

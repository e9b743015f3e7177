// Builds a new graph from an old one, node by node: how passes are written.
//
// The new graph has the inputs of the old one from the start. Each old value is mapped to a new one,
// by copying the node that computes it or by `map`; constants are copied when first read, so those
// that nobody reads stay behind. `finish` takes over outputs and updates; where nothing writes, aliases
// mean nothing and are dropped.
//
//   Rewriter rewriter(old);
//   for (const Node& node : old.nodes) {
//     if (is_wanted(node)) rewriter.copy(node);
//   }
//   return rewriter.finish();
#pragma once

#include <vector>

#include "ridge/graph/graph.h"

namespace ridge::graph {

class Rewriter {
 public:
  explicit Rewriter(const Graph& old);

  Graph& graph() { return graph_; }
  bool is_mapped(ValueId old) const;
  ValueId operator[](ValueId old);  // the new value; it must be mapped, or a constant
  void map(ValueId old, ValueId now);

  // The node over new values.
  Node translated(const Node& node);
  // The same where the old graph is not needed afterwards: of the node its results are left.
  Node taken(Node& node);
  // Adds a node over new values, with the types, tokens and aliases of the old node's results, which
  // are mapped to its own. Returns its position.
  int32_t add(Node node, const ValueIds& old_results);
  int32_t copy(const Node& node) { return add(translated(node), node.results); }
  int32_t move(Node& node) { return add(taken(node), node.results); }

  Graph finish();

 private:
  const Graph& old_;
  Graph graph_;
  ValueIds values_;  // by old value
};

}  // namespace ridge::graph

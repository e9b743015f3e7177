// The longest path through a program, and where each node leaves and joins it.
//
//   on the path: a b c d       x reads a, c reads x       x lies between: leaves at a, joins at c
//
// A node that joins the path no later than another one leaves it comes before that: of nodes that lie
// far apart, as those of a layer and of its gradient, this tells at once what a search would take the
// whole program for. It says nothing of nodes whose ways lead beside the path.
#pragma once

#include <span>
#include <vector>

#include "ridge/schedule/inlined_graph.h"

namespace ridge::schedule {

class CriticalPath {
 public:
  explicit CriticalPath(const InlinedGraph& program);

  // Roots, each of which reads the one before.
  std::span<const int32_t> nodes() const { return nodes_; }
  // The place of the first node on the path that needs a root, which may be the root itself; past the end
  // if none does.
  int32_t joins_at(int32_t node) const { return joins_[static_cast<size_t>(node)]; }
  // The place of the last one that a root needs; -1 for none.
  int32_t leaves_at(int32_t node) const { return leaves_[static_cast<size_t>(node)]; }

 private:
  std::vector<int32_t> nodes_;
  std::vector<int32_t> joins_, leaves_;  // by node
};

}  // namespace ridge::schedule

// Part of a graph as a graph of its own; what it reads of the rest becomes its inputs.
//
//   whole: a = f(x); b = g(a); c = h(b, x)
//   Part part(whole, "tail"); part.copy(<h>); part.add_output(c);
//   part.take()         graph tail(%0 "b", %1 "x") { %2 = h(%0, %1); return %2 }
//   part.inputs()       {b, x}, values of the whole graph
//
// Constants come along. Nodes are copied in an order where definitions come before uses.
#pragma once

#include <string>

#include "ridge/graph/graph.h"

namespace ridge::graph {

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

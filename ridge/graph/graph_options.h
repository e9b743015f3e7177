// How a captured graph is to be compiled: beside the graph, all that decides what program it becomes. What a
// failure leaves behind holds it too.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ridge/core/shape.h"
#include "ridge/expr/formula.h"

namespace ridge::graph {

struct GraphOptions {
  std::string name = "graph";
  // Strides of inputs that are not row-major, by number.
  std::vector<std::optional<Shape>> input_strides{};
  // Of the graph and its strides, in the order in which a program takes their values; if none are given,
  // those of the graph by name.
  expr::Symbols symbols{};
  // Nodes, as passes leave them, that share a kernel with no other: to find one that must not.
  std::vector<int32_t> unfused{};
  // Bytes that a program with gradients may need at one time, beside its arguments; 0 for no limit.
  int64_t memory_budget = 0;
};

}  // namespace ridge::graph

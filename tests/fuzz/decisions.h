// Where rounding may turn the outcome of a node: comparisons, steps, positions of extrema.
//
//   x < y    with x off by up to 0.1: tried with x + 0.1 and y, and with x - 0.1 and y
//   x == y   tried with x moved onto y where it is that close, and onto 0
#pragma once

#include <vector>

#include "ridge/base/random.h"
#include "ridge/dispatch/arg.h"
#include "ridge/expr/function.h"
#include "ridge/graph/graph.h"
#include "tests/fuzz/tracked_value.h"

namespace ridge::fuzz {

// Does the function jump?
bool is_step(expr::Function function);

// By operand: the dtype it has been rounded to when the op computes with it, its own or a narrower
// one that promotion gave.
std::vector<DType> read_dtypes(const graph::Graph& graph, const graph::Node& node);

// How far an operand may be off where it is read.
std::vector<double> tolerances_when_read(const Tracked& tracked, DType read);

struct Uncertain {
  Tensor value;
  std::vector<double> ends;  // empty if it is certain
};

// Operands of a call of which each element is somewhere between its ends; `shape` is the result's.
std::vector<dispatch::Tensors> extremes(const std::vector<Uncertain>& operands, const Shape& shape,
                                        SplitMix64& random);

}  // namespace ridge::fuzz

// RIDGE_VERIFY=3: what a graph gives before and after each pass, by the reference, on real inputs.
//
//   simplify_algebra: expected 1.25 at [3], within 1e-06, in output 0, given 2.5
//
// The passes run once more, one by one, so the first that changes a result is the one to blame.
#pragma once

#include <span>
#include <string>

#include "ridge/base/error.h"
#include "ridge/graph/graph.h"

namespace ridge::verify {

// Error{internal} that says whose fault it is.
struct WrongPass : Error {
  WrongPass(Parts parts, std::string name) : Error(std::move(parts)), pass(std::move(name)) {}
  std::string pass;
};

// `inputs` are on the host, in the strides that the graph was captured for; they stay as they are.
// Graphs that would take the reference too long are left out, and a warning says so.
void check_passes(const graph::Graph& captured, std::span<const Tensor> inputs);

// What a graph leaves behind: its outputs, then its inputs as they are afterwards.
std::vector<Tensor> results_by_reference(const graph::Graph& graph, std::span<const Tensor> inputs);

// Where `ours` is not what `graph` gives on these inputs, whose results are `expected`; empty if it
// is nowhere. Both are as results_by_reference gives them.
std::string difference(const graph::Graph& graph, std::span<const Tensor> inputs,
                       std::span<const Tensor> expected, std::span<const Tensor> ours);

}  // namespace ridge::verify

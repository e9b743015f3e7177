// What a graph gives by the reference, and how far from it a right program may be.
//
// Fused kernels round less often than ops one by one, in an order of their own. How much that may
// change is measured: the graph is evaluated exactly (in f64), and again with a small error wherever
// an op rounds. Where 16-bit types are involved it is also evaluated with their roundings. An element
// may be off by the rule of reference/closeness.h, with what was seen to move as its sway:
//
//   y = x - mean(x)     x near its mean: the rounding of the mean moves y, and may
//   y = x * 2           nothing rounds: y is exact, but for its own rounding
//
// Where a decision (x > 0, an index, a cast to integers) turns on a rounding, any value will do.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ridge/graph/graph.h"
#include "ridge/reference/closeness.h"

namespace ridge::verify {

class Oracle {
 public:
  // The graph is functional, without control flow and symbols, and outlives it; inputs are tensors of
  // the CPU. Errors of its ops (an index out of range) leave the constructor.
  Oracle(const graph::Graph& graph, std::vector<Tensor> inputs);

  // Where `ours` is not what output `number` may be. Its dtype and shape are those of the output.
  std::optional<reference::Mismatch> judge(size_t number, const Tensor& ours);

 private:
  // By output, row-major, rounded to the dtype of the output.
  using Outputs = std::vector<std::vector<double>>;
  enum class Arithmetic : uint8_t { exact, shaken, shaken_back, declared };

  Outputs evaluate(Arithmetic arithmetic) const;
  Outputs shaken_outputs(Arithmetic arithmetic) const;
  std::vector<double> allowed(size_t number) const;
  double sway_of_f64(size_t number) const;

  const graph::Graph& graph_;
  std::vector<Tensor> inputs_;
  double length_;  // no sum is longer than the largest value
  Outputs exact_, shaken_;
  std::optional<Outputs> shaken_back_;  // by the other sign, where something seems wrong
  std::optional<Outputs> declared_;     // where 16-bit types round, or something seems wrong
};

// "1.25 at [3, 5], within 1e-06": what was expected of a tensor of that shape.
std::string expected_text(const reference::Mismatch& mismatch, const Shape& shape);

// Points that the reference has to visit for a graph that has been decomposed; bodies of control flow
// count once.
int64_t reference_points(const graph::Graph& graph);
// More than these are not computed by the reference: some seconds of one core. A guess.
inline constexpr int64_t kMostReferencePoints = int64_t{1} << 26;

}  // namespace ridge::verify

// The same op over a batch: which call of it does for every example what one call does for one.
//
//   sum(x: f32[5, 3], dims=[0])          ->   sum(x: f32[B, 5, 3], dims=[1])
//   permute(x: f32[5, 3], dims=[1, 0])   ->   permute(x: f32[B, 5, 3], dims=[0, 2, 1])
//   add(x: f32[5, 3], y: f32[3])         ->   add(x: f32[B, 5, 3], y: f32[B, 1, 3])
//
// No op has a rule of its own for this. What is wanted follows from the definition of the op: the same
// definition with one more axis in front, along which mapped operands are read. Calls that differ in
// the few ways in which ops of this library count dimensions (parameters `dim`, `dims` and `shape`,
// operands with dims of size 1 behind the batch, operands repeated for each example) are tried; one
// whose definition is, in canonical form, the wanted one is taken.
#pragma once

#include <optional>
#include <vector>

#include "ridge/graph/graph.h"

namespace ridge::aot {

// How one operand is handed to the batched call.
struct BatchedOperand {
  size_t ones = 0;           // dims of size 1 to put behind the batch
  bool is_repeated = false;  // one that is not mapped: expanded to a batch of itself
  std::optional<DType>
      dtype{};  // to cast to first: a 0-d operand gives way in promotion, a row does not
};

struct BatchedForm {
  std::vector<BatchedOperand> operands;  // as graph::operands counts them
  std::vector<graph::Argument> args;     // those of the node, but for its tensors
};

// `is_mapped`: of the operands of the node, at least one. Nothing for an op that has no such call, or
// that has no definition (composite ops, control flow).
std::optional<BatchedForm> batched_form(const graph::Graph& graph, const graph::Node& node,
                                        const std::vector<bool>& is_mapped, const Size& count);

}  // namespace ridge::aot

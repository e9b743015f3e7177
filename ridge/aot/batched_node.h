// One node over a batch: an op by its definition, an op with a gradient of its own, control flow.
//
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

#include "ridge/aot/batch.h"
#include "ridge/graph/graph.h"
#include "ridge/graph/recorder.h"

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

// Composite ops with a gradient of their own, over a batch: they keep that gradient.
//
// By its parts alone such an op would be differentiated by its parts: a custom_vjp would lose what it
// says of its gradient, a softmax the form that is stable and cheap. So the batched op is a function
// with a gradient of its own in turn (custom_vjp.h): its value is the batch of the parts, its gradient
// the batch of the rule.

bool has_batched_rule(const dispatch::Operator& op);

// Records the node of `graph` over the batch; all results are mapped. `given` stand for its operands.
// Made once for a call of these types, and kept.
std::vector<Tensor> call_batched_rule(const graph::Graph& graph, const graph::Node& node,
                                      const std::vector<bool>& is_mapped,
                                      const BatchOptions& options,
                                      const std::vector<Tensor>& given);

// Control flow over a batch.
//
//   cond by one condition for all examples, scan     the same, over batched bodies
//   while_loop with one condition for all            likewise
//   where examples go different ways                 a scan over the examples, each on its own

// Does it draw random numbers, itself or in a body?
bool draws(const graph::Node& node);

struct MappedResults {
  std::vector<Tensor> tensors;
  std::vector<bool> is_mapped;
};

// Records a node of control flow of `old` over the batch. `given` stand for its operands in the graph of
// the recorder; those that are mapped have the dimension of the batch in front.
MappedResults batched_control(graph::Recorder& recorder, const graph::Graph& old,
                              const graph::Node& node, const std::vector<bool>& is_mapped,
                              const std::vector<Tensor>& given, const BatchOptions& options);

// Records any node as a scan over the examples; all results are mapped. Error{state} for one that draws
// random numbers in a way that options forbid.
std::vector<Tensor> scan_examples(graph::Recorder& recorder, const graph::Graph& old,
                                  const graph::Node& node, const std::vector<bool>& is_mapped,
                                  const std::vector<Tensor>& given, const BatchOptions& options);

}  // namespace ridge::aot

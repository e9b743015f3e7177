// Composite ops with a gradient of their own, over a batch: they keep that gradient.
//
// By its parts alone such an op would be differentiated by its parts: a custom_vjp would lose what it
// says of its gradient, a softmax the form that is stable and cheap. So the batched op is a function
// with a gradient of its own in turn (custom_vjp.h): its value is the batch of the parts, its gradient
// the batch of the rule.
#pragma once

#include "ridge/aot/batch.h"

namespace ridge::aot {

bool has_batched_rule(const dispatch::Operator& op);

// Records the node of `graph` over the batch; all results are mapped. `given` stand for its operands.
// Made once for a call of these types, and kept.
std::vector<Tensor> call_batched_rule(const graph::Graph& graph, const graph::Node& node,
                                      const std::vector<bool>& is_mapped,
                                      const BatchOptions& options,
                                      const std::vector<Tensor>& given);

}  // namespace ridge::aot

// The graph of one eager call: one node, made through the same rules as a captured one.
//
// For pointwise ops the layout is that of the merged dimensions (call_class.h), so calls on
// contiguous operands of any shape and rank with as many elements are one class; for other ops it is
// the shapes and strides as they are.
//
//   ClassedCall call = class_of(record, call, resolved, ClassSizes::symbolic);
//   call.layout.key()       is there a kernel for it?
//   call.graph()            if not, what to make one from
#pragma once

#include <functional>
#include <vector>

#include "ridge/base/decision.h"
#include "ridge/eager/call_class.h"
#include "ridge/ops/derived.h"
#include "ridge/schedule/plan.h"

namespace ridge::eager {

struct OneNode {
  graph::Graph graph;  // inputs: the operands, then numbers that were attributes, as f64
  schedule::NodeDefinition node_definition;
  std::vector<std::optional<Shape>> input_strides;
  size_t operand_count;
};

struct ClassedCall {
  CallClass layout;
  std::vector<double> numbers;     // attributes that the kernel reads from memory
  std::function<OneNode()> graph;  // once, while the arguments of the call live
};

// For a call whose op has a body or definition, and a result with elements; `resolved` as the op's
// rules gave it.
ClassedCall class_of(const ops::OpRecord& record, const ops::Call& call,
                     const ops::Resolved& resolved, ClassSizes sizes);
// For writing `from`, broadcast, into `to`: the operands are 0 = to and 1 = from.
ClassedCall class_of_assign(const dispatch::Operator& op, const Tensor& to, const Tensor& from,
                            ClassSizes sizes);

// Can generated code compute it? No for storage-only dtypes.
Decision can_generate_for(const ops::Call& call, DType result);

}  // namespace ridge::eager

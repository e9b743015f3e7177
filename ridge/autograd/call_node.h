// The node of a recorded op call: the arguments as the gradient rule will see them again.
//
// Made before the call runs, because an in-place call overwrites what the rule may have to read;
// `save_results` completes it.
#pragma once

#include <vector>

#include "ridge/autograd/gradient_rule.h"
#include "ridge/autograd/saved_tensor.h"
#include "ridge/dispatch/operator.h"

namespace ridge::autograd {

class CallNode : public Node {
 public:
  // `record` is the op's; `written` the tensor an in-place call will write to, null for others.
  static Ref<CallNode> before(const dispatch::Frame& frame, const ops::OpRecord& record,
                              const Tensor* written = nullptr);
  void save_results(std::span<const Tensor> results);

  Tensors run(const Tensors& grads, const Needed& needed) override;
  void release() override;

  CallNode(const dispatch::Frame& frame, const ops::OpRecord& record, Edges edges);

 private:
  struct Unpacked {
    std::vector<dispatch::Value> args;
    Tensors results;
  };
  void save_arguments(const dispatch::Frame& frame, const Tensor* written);
  Unpacked unpack() const;
  Tensors apply_rule(const Tensors& grads, const Needed& needed) const;

  const ops::OpRecord& record_;
  const GradientRule* rule_ = nullptr;
  Needed needed_;                      // operands that have an edge
  std::vector<dispatch::Value> args_;  // tensors left out, lists of them by their length
  // Behind this node's stripe, because one thread may release what another one runs.
  SmallVector<SavedTensor, 2> operands_;
  SmallVector<SavedTensor, 1> results_;
  bool is_released_ = false;
};

// The line of the user's program that a call belongs to.
Location user_location(const dispatch::Frame& frame);

}  // namespace ridge::autograd

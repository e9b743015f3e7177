// The end of a graph: a tensor the user asked gradients for, and the gradient collected so far.
//
// The gradient lives here and not in the tensor, because the graph must reach it and must not own
// the tensor. Threads that differentiate over shared parameters meet here, behind a mutex.
//
// With create_graph the gradient has a history that leads back to this node. Such a circle would
// never be freed, so the tensor's record calls `abandon` when it goes: nobody can ask for the
// gradient any more, and it is let go.
#pragma once

#include <mutex>
#include <vector>

#include "ridge/autograd/node.h"

namespace ridge::autograd {

class LeafNode : public Node {
 public:
  explicit LeafNode(Location where) : Node("leaf", where, 1, {}) {}

  bool is_leaf() const override { return true; }
  Tensors run(const Tensors& grads, const Needed& needed) override;

  Tensor grad() const;
  void set_grad(Tensor grad);
  // What is to be added to the gradient of a leaf.
  struct Share {
    LeafNode* leaf;
    Tensor grad;
  };
  // Of different leaves; an error leaves the gradients of all of them as they were. Never writes into a
  // tensor somebody else may hold.
  static void accumulate(std::vector<Share> shares);
  void abandon() noexcept;

 private:
  mutable std::mutex mutex_;
  Tensor grad_;
  bool is_abandoned_ = false;
};

}  // namespace ridge::autograd

// The nodes that only in-place calls make.
#pragma once

#include "ridge/autograd/node.h"
#include "ridge/autograd/view.h"

namespace ridge::autograd {

// A base after a write through one of its views. Edges: the base before, and what was written.
class WriteNode : public Node {
 public:
  WriteNode(std::string_view name, Location where, const Tensor& base, Ref<ViewStep> last_step,
            Edges edges);
  Tensors run(const Tensors& grads, const Needed& needed) override;

 private:
  Tensor copy_in_base_layout(const Tensor& grad) const;

  Shape shape_;
  Shape strides_;
  bool is_contiguous_;
  Ref<ViewStep> last_step_;
};

// A constant, written over a value that required grad.
class ConstantNode : public Node {
 public:
  ConstantNode(std::string_view name, Location where) : Node(name, where, 1, {}) {}
  Tensors run(const Tensors&, const Needed&) override { return {}; }
};

}  // namespace ridge::autograd

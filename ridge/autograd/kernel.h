// The autograd layer: one kernel that serves every op, from what its record says.
//
// A call that needs no gradient is passed on after one look at its arguments. Otherwise
//   composite op without .grad   runs its decomposition, whose parts are recorded
//   in-place form                runs write_in_place, below
//   any other op                 runs below this layer, then its results get a node
// Views are noted even when nothing requires grad, because a later write may change that.
#pragma once

#include "ridge/autograd/node.h"
#include "ridge/autograd/view.h"
#include "ridge/dispatch/call.h"

namespace ridge::autograd {

void run_autograd(const dispatch::Kernel& kernel, dispatch::Frame& frame, dispatch::KeySet keys);

inline bool any_requires_grad(std::span<const dispatch::Arg> args) {
  for (const dispatch::Arg& arg : args) {
    if (arg.kind == dispatch::ArgKind::tensor) {
      if (arg.tensor->unsafe_impl()->requires_grad) return true;
    } else if (arg.kind == dispatch::ArgKind::tensors) {
      for (const Tensor& tensor : arg.tensors()) {
        if (tensor.unsafe_impl()->requires_grad) return true;
      }
    }
  }
  return false;
}

// Registers run_autograd as the fallback of Key::autograd, for every op there is and will
// be. From any thread, any number of times.
void install();

// In-place calls under autograd.
//
//   mul_(x, y)                     x had history X; its history is now that of mul(old x, y)
//   v = slice(x, ...); mul_(v, y)  v's elements are x's, so x gets a WriteNode:
//
//                        mul(old v, y)
//                              \ what was written
//        X ------------------ write ---> new history of x; v is replayed from it
//           what was there before
//
// The gradient of the written region goes to the value that was written, zero goes there to what
// was there before.
//
// An Error{gradient}: a write to a leaf that requires grad, or to a view of one; a write through a
// view that was made under NoGrad while its base required grad. Under NoGrad every write is let
// through and leaves histories as they are.

// Runs the in-place form of an op.
void write_in_place(dispatch::Frame& frame, dispatch::KeySet below);

// The nodes that only in-place calls make.
//
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

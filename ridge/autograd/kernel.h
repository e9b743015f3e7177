// The autograd layer: one kernel that serves every op, from what its record says.
//
// A call that needs no gradient is passed on after one look at its arguments. Otherwise
//   composite op without .grad   runs its decomposition, whose parts are recorded
//   in-place form                write.h
//   any other op                 runs below this layer, then its results get a node
// Views are noted even when nothing requires grad, because a later write may change that.
#pragma once

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

// Registers the kernel of kernel.h as the fallback of Key::autograd, for every op there is and will
// be. From any thread, any number of times.
void install();

}  // namespace ridge::autograd

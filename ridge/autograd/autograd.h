// Eager gradients: what a program asks of autograd.
//
//   Tensor w = ...;  set_requires_grad(w);
//   Tensor loss = mean(square(matmul(x, w) - y));
//   backward(loss);
//   { NoGrad scope;  w -= 0.1 * grad_of(w);  clear_grad(w); }
//
// Every op called on a tensor that requires grad, while grad mode is on, is recorded; `backward`
// and `gradients` walk the record in reverse. Tensors the user marked are leaves; others get their
// flag from what they were computed from.
//
// Any thread may build and differentiate its own graphs, also over leaves it shares with others. A
// run that throws leaves all gradients as they were; the graph it ran is used up as far as it got,
// unless it was to be retained.
#pragma once

#include <functional>
#include <vector>

#include "ridge/dispatch/thread_state.h"
#include "ridge/ops/at.h"

namespace ridge {

namespace autograd {
struct Hook;
}

// Error{gradient} for a dtype that is not floating, and for taking the flag from a tensor that was
// computed (detach does that).
void set_requires_grad(const Tensor& tensor, bool value = true,
                       Location where = Location::current());
// True for a tensor that was not computed from one that requires grad.
bool is_leaf(const Tensor& tensor, Location where = Location::current());

// The gradient a leaf has collected; undefined if none. It is the leaf's own: it may be written to.
Tensor grad_of(const Tensor& leaf, Location where = Location::current());
void clear_grad(const Tensor& leaf, Location where = Location::current());

// Nothing is recorded on this thread while it lives.
class NoGrad {
  dispatch::GradMode mode_{false};
};

struct BackwardOptions {
  bool retain_graph = false;  // keep what was saved, for another run
  bool create_graph = false;  // record the run, so that gradients have gradients; retains too
};

// Adds d root / d leaf to the gradient of every leaf that root was computed from. A root of more
// than one element needs `gradient`, which is multiplied in.
void backward(const At& root, const Tensor& gradient = {}, BackwardOptions options = {});

struct GradientsOptions {
  bool retain_graph = false;
  bool create_graph = false;
  bool allow_unused = false;  // undefined, not an error, for inputs no output depends on
};

// d outputs / d inputs for any tensors, computed or not; leaves collect nothing. Several outputs
// are summed. An input that outputs depend on with derivative zero throughout gives zeros.
std::vector<Tensor> gradients(const std::vector<Tensor>& outputs, const std::vector<Tensor>& inputs,
                              const std::vector<Tensor>& output_gradients = {},
                              GradientsOptions options = {}, Location where = Location::current());

// Takes a hook away again when asked to; dropping the handle leaves the hook in place.
class HookHandle {
 public:
  HookHandle() = default;
  explicit HookHandle(Ref<autograd::Hook> hook);
  HookHandle(const HookHandle&);
  HookHandle& operator=(const HookHandle&);
  ~HookHandle();
  void remove();

 private:
  Ref<autograd::Hook> hook_;
};

// Called with the gradient of this tensor once that is complete, in every run that computes it. A
// defined result replaces the gradient. The hook belongs to the value the tensor has now, not to
// what is written into it later.
HookHandle add_hook(const Tensor& tensor, std::function<Tensor(const Tensor& gradient)> hook,
                    Location where = Location::current());

}  // namespace ridge

#include "ridge/autograd/leaf.h"

#include <algorithm>

#include "ridge/ops/arithmetic.h"

namespace ridge::autograd {

namespace {

// A gradient that is this leaf's alone, so that the user may write into it: rules hand one tensor
// to several operands, or a view of one that is spread over many elements.
Tensor owned(Tensor grad) {  // NOLINT: by value, so that a count of one means nobody else
  const TensorImpl& impl = grad.impl();
  const bool is_ours = impl.use_count() == 1 && impl.storage->use_count() == 1;
  return is_ours && impl.is_contiguous ? grad : copy(grad, grad);
}

}  // namespace

Tensors LeafNode::run(const Tensors&, const Needed&) {
  RIDGE_INTERNAL_CHECK(false, "a leaf collects gradients, it does not pass them on");
  return {};
}

Tensor LeafNode::grad() const {
  const std::lock_guard lock(mutex_);
  return grad_;
}

void LeafNode::set_grad(Tensor grad) {
  const std::lock_guard lock(mutex_);
  std::swap(grad_, grad);  // the old one falls after the lock, and with it perhaps a graph
}

void LeafNode::accumulate(std::vector<Share> shares) {
  // In one order, so that threads with leaves in common do not wait for each other in a circle. What is
  // replaced falls with `shares`, after the locks, and with it perhaps a graph.
  std::ranges::sort(shares, {}, &Share::leaf);
  std::vector<std::unique_lock<std::mutex>> locks;
  for (auto& [leaf, grad] : shares) {
    locks.emplace_back(leaf->mutex_);
    if (leaf->is_abandoned_) continue;
    grad = leaf->grad_.defined() ? leaf->grad_ + grad : owned(std::move(grad));
  }
  for (auto& [leaf, sum] : shares) {
    if (!leaf->is_abandoned_) std::swap(leaf->grad_, sum);
  }
}

void LeafNode::abandon() noexcept {
  Tensor dropped;
  const std::lock_guard lock(mutex_);
  is_abandoned_ = true;
  dropped = std::move(grad_);
}

}  // namespace ridge::autograd

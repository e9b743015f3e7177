#include "ridge/autograd/meta.h"

#include <cstddef>
#include <cstdint>
#include <utility>

#include "ridge/autograd/leaf.h"
#include "ridge/autograd/view.h"

namespace ridge::autograd {

Meta::Meta() = default;

Meta::~Meta() { disown_leaf(); }

void Meta::disown_leaf() noexcept {
  if (std::exchange(owns_leaf, false)) static_cast<LeafNode&>(*edge.node).abandon();
}

Meta& meta_of(const Tensor& tensor) {
  TensorImpl& impl = tensor.impl();
  if (impl.requires_grad) return *find_meta(tensor);
  const std::lock_guard lock(stripe(&impl));
  if (!impl.autograd) impl.autograd = make_ref<Meta>();
  return static_cast<Meta&>(*impl.autograd);
}

Edge edge_of(const Tensor& tensor) {
  if (!tensor.requires_grad()) return {};
  const Meta& meta = *find_meta(tensor);
  return meta.view ? edge_of_view(tensor) : meta.edge;
}

void attach(const Tensor& fresh, Edge edge) {
  TensorImpl& impl = fresh.impl();
  if (!impl.autograd) impl.autograd = make_ref<Meta>();
  find_meta(fresh)->edge = std::move(edge);
  impl.requires_grad = true;
}

void rebase(const Tensor& written, Edge edge) {
  Meta& meta = meta_of(written);
  meta.disown_leaf();  // of a leaf that was told to require no grad any more
  meta.edge = std::move(edge);
  ++meta.rebase_count;
  written.impl().requires_grad = true;
  mark_views(meta);
}

Tensor with_history(const Tensor& values, const Edge& edge) {
  Tensor alias = values.alias();
  if (edge) attach(alias, edge);
  return alias;
}

namespace {
constexpr size_t kStripeCount = 64;
}

std::mutex& stripe(const void* object) {
  // Never destroyed: tensors in static storage still take them while the process ends.
  static std::mutex* const stripes = new std::mutex[kStripeCount];
  // Objects are at least 16 bytes apart, so the lowest bits say nothing.
  return stripes[(reinterpret_cast<uintptr_t>(object) >> 5) % kStripeCount];
}

}  // namespace ridge::autograd

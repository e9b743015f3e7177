#include "ridge/autograd/autograd_record.h"

#include <cstddef>
#include <cstdint>
#include <utility>

#include "ridge/autograd/leaf.h"
#include "ridge/autograd/view.h"

namespace ridge::autograd {

AutogradRecord::AutogradRecord() = default;

AutogradRecord::~AutogradRecord() { disown_leaf(); }

void AutogradRecord::disown_leaf() noexcept {
  if (std::exchange(owns_leaf, false)) static_cast<LeafNode&>(*edge.node).abandon();
}

AutogradRecord& record_of(const Tensor& tensor) {
  TensorImpl& impl = tensor.impl();
  if (impl.requires_grad) return *find_record(tensor);
  const std::lock_guard lock(stripe(&impl));
  if (!impl.autograd) impl.autograd = make_ref<AutogradRecord>();
  return static_cast<AutogradRecord&>(*impl.autograd);
}

Edge edge_of(const Tensor& tensor) {
  if (!tensor.requires_grad()) return {};
  const AutogradRecord& record = *find_record(tensor);
  return record.view ? edge_of_view(tensor) : record.edge;
}

void attach(const Tensor& fresh, Edge edge) {
  TensorImpl& impl = fresh.impl();
  if (!impl.autograd) impl.autograd = make_ref<AutogradRecord>();
  find_record(fresh)->edge = std::move(edge);
  impl.requires_grad = true;
}

void rebase(const Tensor& written, Edge edge) {
  AutogradRecord& record = record_of(written);
  record.disown_leaf();  // of a leaf that was told to require no grad any more
  record.edge = std::move(edge);
  ++record.rebase_count;
  written.impl().requires_grad = true;
  mark_views(record);
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

#include "ridge/capture/call_sizes.h"

#include <algorithm>
#include <numeric>

namespace ridge::capture {

using Kind = SizeSlot::Kind;

std::optional<std::vector<uint32_t>> dense_order(const Tensor& tensor) {
  const Shape& shape = tensor.shape();
  const Shape& strides = tensor.strides();
  std::vector<uint32_t> order(shape.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::ranges::greater(),
                           [&](uint32_t dim) { return strides[dim].value(); });
  int64_t stride = 1;
  for (size_t i = order.size(); i-- > 0;) {
    if (strides[order[i]].value() != stride) return std::nullopt;
    stride *= shape[order[i]].value();
  }
  return order;
}

namespace {

class SizeReader {
 public:
  explicit SizeReader(const FlatArguments& flat) : flat_(flat) {}

  CallSizes read() {
    call_.shares_memory = !flat_.aliases.empty();
    const std::span<const uint64_t> items = flat_.signature.items();
    for (size_t i = 0; i < items.size(); i += 2) item(items[i], items[i + 1]);
    return std::move(call_);
  }

 private:
  void item(uint64_t head, uint64_t body) {
    call_.skeleton.push_back(head);
    const Signature::Item kind = Signature::kind_of(head);
    if (kind == Signature::Item::number) {
      const bool is_size = std::ranges::binary_search(flat_.sizes, number_++);
      if (is_size) return add({Kind::argument, size_arguments_++, 0}, static_cast<int64_t>(body));
    }
    if (kind == Signature::Item::tensor) return tensor(LayoutWord(body));
    tensor_ += kind == Signature::Item::undefined ? 1 : 0;
    call_.skeleton.push_back(body);
  }

  void add(SizeSlot slot, int64_t value) {
    call_.slots.push_back(slot);
    call_.values.push_back(value);
  }
  void add(Kind kind, const Shape& sizes) {
    for (uint32_t dim = 0; dim < sizes.size(); ++dim) {
      add({kind, tensor_, dim}, sizes[dim].value());
    }
  }

  // Whether its sizes fit into its word depends on them, so that is no part of the skeleton.
  void tensor(LayoutWord layout) {
    const Tensor& tensor = *flat_.tensors[tensor_];
    call_.skeleton.push_back(layout.rank() << 1 | (layout.is_aligned() ? 1 : 0));
    add(Kind::size, tensor.shape());
    if (!tensor.is_contiguous()) {
      const auto order = dense_order(tensor);
      call_.skeleton.push_back(order ? 1 : 0);
      if (order) {
        call_.skeleton.insert(call_.skeleton.end(), order->begin(), order->end());
      } else {
        add(Kind::stride, tensor.strides());
      }
    }
    ++tensor_;
  }

  const FlatArguments& flat_;
  uint32_t number_ = 0, tensor_ = 0, size_arguments_ = 0;
  CallSizes call_;
};

}  // namespace

CallSizes sizes_of(const FlatArguments& flat) { return SizeReader(flat).read(); }

}  // namespace ridge::capture

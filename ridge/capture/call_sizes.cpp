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

CallSizes sizes_of(const FlatArguments& flat) {
  CallSizes call;
  for (uint32_t t = 0; t < flat.tensors.size(); ++t) {
    const Tensor& tensor = *flat.tensors[t];
    if (!tensor.defined()) {
      call.skeleton.push_back(~uint64_t{0});
      continue;
    }
    call.skeleton.push_back(tensor.shape().size());
    const auto add = [&](Kind kind, const Shape& sizes) {
      for (uint32_t dim = 0; dim < sizes.size(); ++dim) {
        call.slots.push_back({kind, t, dim});
        call.values.push_back(sizes[dim].value());
      }
    };
    add(Kind::size, tensor.shape());
    if (tensor.is_contiguous()) continue;
    const auto order = dense_order(tensor);
    call.skeleton.push_back(order ? 1 : 2);
    if (order) {
      call.skeleton.insert(call.skeleton.end(), order->begin(), order->end());
    } else {
      add(Kind::stride, tensor.strides());
    }
  }
  return call;
}

}  // namespace ridge::capture

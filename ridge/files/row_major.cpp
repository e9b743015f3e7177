#include "ridge/files/row_major.h"

#include <cstring>

#include "ridge/base/text.h"
#include "ridge/core/device_copy.h"

namespace ridge::files {
namespace {

// Calls f(offset in elements) for each position, in row-major order.
template <class F>
void for_each_offset(const Tensor& tensor, F f) {
  const int64_t count = tensor.numel().value();
  Ints position(tensor.shape().size(), 0);
  int64_t offset = 0;
  for (int64_t i = 0; i < count; ++i) {
    f(offset);
    for (size_t d = position.size(); d-- > 0;) {
      offset += tensor.strides()[d].value();
      if (++position[d] < tensor.shape()[d].value()) break;
      offset -= position[d] * tensor.strides()[d].value();
      position[d] = 0;
    }
  }
}

size_t element_bytes(const Tensor& tensor) {
  RIDGE_CHECK(tensor.dtype().bits >= 8, .code = ErrorCode::value,
              .expected = "a 4-bit tensor that is row-major without gaps",
              .given = describe(tensor));
  return tensor.dtype().bits / 8;
}

// The memory of a view from its first element to its last, gaps included.
Tensor flat(const Tensor& view) {
  return Tensor::view_of(Ref<Storage>(&view.storage()), {span_of(view)}, {1}, view.offset(),
                         view.dtype());
}

}  // namespace

Tensor row_major_on_host(const Tensor& tensor) {
  const Tensor here = to_device(tensor, kCpu);
  if (here.is_contiguous()) return here;
  const size_t bytes = element_bytes(here);
  const Tensor dense = Tensor::empty(here.shape(), here.dtype());
  const auto* from = static_cast<const std::byte*>(here.raw_data());
  auto* to = static_cast<std::byte*>(dense.raw_data());
  for_each_offset(here, [&](int64_t offset) {
    std::memcpy(to, from + static_cast<size_t>(offset) * bytes, bytes);
    to += bytes;
  });
  return dense;
}

std::span<const std::byte> bytes_of(const Tensor& row_major) {
  const size_t bytes = bytes_for(row_major.dtype(), row_major.numel().value());
  if (bytes == 0) return {};
  return {static_cast<const std::byte*>(row_major.raw_data()), bytes};
}

void check_can_be_assigned(const Tensor& to) {
  RIDGE_CHECK(!to.is_meta(), .code = ErrorCode::device, .expected = "a tensor with memory",
              .given = describe(to));
  (void)device_address(to);  // an Error if it was donated, or is captured
  if (!to.is_contiguous()) element_bytes(to);
}

void assign(const Tensor& to, const Tensor& row_major) {
  if (to.is_contiguous()) return copy_into(to, row_major);
  const size_t bytes = element_bytes(to);
  const Tensor here = to_device(to, kCpu);
  auto* target = static_cast<std::byte*>(here.raw_data());
  const auto* from = static_cast<const std::byte*>(row_major.raw_data());
  for_each_offset(to, [&](int64_t offset) {
    std::memcpy(target + static_cast<size_t>(offset) * bytes, from, bytes);
    from += bytes;
  });
  if (to.device() == kCpu) return to.storage().bump_version();
  copy_into(flat(to), flat(here));
}

}  // namespace ridge::files

// Moving tensors between devices.
//
//   Tensor there = to_device(here, Device{DeviceKind::cuda, 0});
//   there.shape(), there.strides()      as before
//
// The result has memory of its own and no history: gradients do not flow through a copy. On a device
// that works on its own, the copy follows what was launched before it; to the host it is complete
// when this returns.
#pragma once

#include <cstddef>

#include "ridge/core/tensor.h"

namespace ridge {

// The tensor itself if it is there already. Error{device} where there is no such device.
Tensor to_device(const Tensor& tensor, Device device, Location where = Location::current());

// A copy in memory of the host, whatever the device, with shape and strides as before.
Tensor host_copy(const Tensor& tensor);

// Writes the values of `from` into the memory of `to`, on whatever devices they are: both row-major,
// of one shape and dtype. For programs that find their inputs at the same addresses every time. To a
// device that works on its own the copy is queued, and `from` may be changed when this returns,
// unless it is pinned memory.
void copy_into(const Tensor& to, const Tensor& from, Location where = Location::current());

// Where its first element is in the memory of its device, which the host may not be able to read.
inline void* device_address(const Tensor& tensor, Location where = Location::current());

// Elements from the first one of a view to its last, gaps included.
int64_t span_of(const Tensor& tensor);

[[noreturn]] void throw_partial_byte(const Tensor& tensor, Location where);

// Inline, because a call asks it of each of its tensors.
inline void* device_address(const Tensor& tensor, Location where) {
  const TensorImpl& view = tensor.impl(where);
  const int64_t bits = view.offset.value(where) * view.dtype.bits;
  if ((bits & 7) != 0) [[unlikely]]
    throw_partial_byte(tensor, where);
  return static_cast<std::byte*>(view.storage->data()) + (bits >> 3);
}

}  // namespace ridge

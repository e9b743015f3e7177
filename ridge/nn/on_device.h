// A model, optimizer or generator on a device: every tensor of a struct, copied there.
//
//   Model there = nn::on_device(model, Device{DeviceKind::cuda, 0});
//
// The same values on every device, so a model initialized on the CPU starts there as it would here.
// Tensors that are there already are shared with the original, as a copy of a struct shares them.
#pragma once

#include "ridge/core/device_copy.h"
#include "ridge/core/visit_tensors.h"

namespace ridge::nn {

template <class T>
T on_device(const T& value, Device device, Location where = Location::current()) {
  T moved = value;
  for_each_tensor(moved, [&](const std::string&, Tensor& tensor) {
    if (tensor.defined()) tensor = to_device(tensor, device, where);
  });
  return moved;
}

}  // namespace ridge::nn

// A view of a buffer, the kernel's sizes and an address in, a tensor map out.
//
//   const TensorMap map = encode_tensor_map(view, {4096, 4096, 768}, x.pointer, "product");
//   const void* arguments[] = {&map, ...};       // copied by the launch, and into a graph by its capture
//
// Arithmetic of the host: needs the driver but no context, and takes less than a microsecond. The driver answers a wrong
// map with "invalid argument", and hardware answers some with an illegal instruction; the checks here say which number is
// wrong. They are plain functions, so that they are tested without a GPU.
#pragma once

#include <span>
#include <string_view>

#include "ridge/core/tensor_view.h"
#include "ridge/runtime/cuda/driver_types.h"

namespace ridge::runtime::cuda {

// A view with its numbers, the contiguous dimension first, as the driver takes it.
struct TensorMapShape {
  TensorMapType type;
  uint32_t rank;
  DevicePointer address;
  uint64_t extents[5];
  uint64_t stride_bytes[4];  // of all dimensions but the first
  uint32_t box[5];
  TensorMapSwizzle swizzle;
};

// Error{value} that names the kernel, the number and its limit where no map can be made.
TensorMapShape tensor_map_shape(const TensorView& view, std::span<const int64_t> sizes,
                                DevicePointer buffer, std::string_view kernel);

// For an address that is a multiple of 16 bytes. Error{device} if the driver refuses it.
TensorMap encode_tensor_map(const TensorMapShape& shape, std::string_view kernel);
// Both.
TensorMap encode_tensor_map(const TensorView& view, std::span<const int64_t> sizes,
                            DevicePointer buffer, std::string_view kernel);

}  // namespace ridge::runtime::cuda

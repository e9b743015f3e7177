// The elements of any tensor as the bytes of a file, and back: row-major, on the host.
#pragma once

#include <span>

#include "ridge/core/tensor.h"

namespace ridge::files {

// The tensor itself where it is so already, else a copy. Error{value} for a 4-bit tensor with gaps.
Tensor row_major_on_host(const Tensor& tensor);
// Of such a tensor.
std::span<const std::byte> bytes_of(const Tensor& row_major);

// Writes the elements of a row-major tensor of the host into the memory of `to`, which has the same shape
// and dtype, any strides, and may be on another device. Whoever shares that memory sees them.
void assign(const Tensor& to, const Tensor& row_major);
// The errors of `assign` to such a tensor, without writing: one without memory, or a 4-bit one with gaps.
void check_can_be_assigned(const Tensor& to);

}  // namespace ridge::files

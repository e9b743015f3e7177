// The layout of a pointwise call after merging its dimensions.
//
//   x[8, 3] contiguous, y[8, 3] contiguous     ->  {24}, x {1}, y {1}
//   x[8, 3] contiguous, y[3]                   ->  {8, 3}, x {3, 1}, y {0, 1}
#pragma once

#include <vector>

#include "ridge/core/shape.h"

namespace ridge::driver {

struct MergedLayout {
  Ints sizes;                 // none of them 1
  std::vector<Ints> strides;  // by operand, 0 along dimensions it is broadcast over

  // How a stride enters a kernel: as the number 0 or 1, or as an argument.
  enum class StrideClass : uint8_t { zero, one, any };
  StrideClass stride_class(size_t operand, size_t dim) const;
};

// Operands given by their shapes and strides, null ones left out; all known.
MergedLayout merge_dimensions(const Shape& result,
                              const std::vector<std::pair<const Shape*, const Shape*>>& operands);

}  // namespace ridge::driver

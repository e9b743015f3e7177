#include "ridge/driver/merged_layout.h"

namespace ridge::driver {

MergedLayout::StrideClass MergedLayout::stride_class(size_t operand, size_t dim) const {
  const int64_t stride = strides[operand][dim];
  if (stride == 0) return StrideClass::zero;
  return stride == 1 && dim + 1 == sizes.size() ? StrideClass::one : StrideClass::any;
}

MergedLayout merge_dimensions(const Shape& result,
                              const std::vector<std::pair<const Shape*, const Shape*>>& operands) {
  MergedLayout layout;
  layout.strides.resize(operands.size());
  const auto stride_of = [&](size_t operand, size_t dim) -> int64_t {
    const auto [shape, strides] = operands[operand];
    if (shape == nullptr) return 0;
    const size_t skipped = result.size() - shape->size();
    if (dim < skipped || (*shape)[dim - skipped].known() == 1) return 0;
    return *(*strides)[dim - skipped].known();
  };
  for (size_t dim = 0; dim < result.size(); ++dim) {
    const int64_t size = *result[dim].known();
    if (size == 1) continue;
    bool merges = !layout.sizes.empty();
    for (size_t k = 0; merges && k < operands.size(); ++k) {
      merges = layout.strides[k].back() == stride_of(k, dim) * size;
    }
    if (merges) {
      layout.sizes.back() *= size;
    } else {
      layout.sizes.push_back(size);
    }
    for (size_t k = 0; k < operands.size(); ++k) {
      if (merges) {
        layout.strides[k].back() = stride_of(k, dim);
      } else {
        layout.strides[k].push_back(stride_of(k, dim));
      }
    }
  }
  return layout;
}

}  // namespace ridge::driver

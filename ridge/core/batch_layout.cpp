#include "ridge/core/batch_layout.h"

#include "ridge/base/error.h"

namespace ridge {
namespace {

size_t rounded_up(size_t bytes, size_t alignment) {
  return (bytes + alignment - 1) / alignment * alignment;
}

}  // namespace

size_t BatchLayout::offset(Holds holds, size_t index, size_t entry) const {
  for (const Array& array : arrays) {
    if (array.holds == holds && array.index == index) {
      return array.offset + entry * array.element_bytes;
    }
  }
  RIDGE_INTERNAL_CHECK(false, "the table of a batch has no such array");
  return 0;
}

BatchLayout batch_layout(const CudaBatch& batch, size_t params, int size_bits) {
  BatchLayout layout;
  const auto add = [&](BatchLayout::Holds holds, size_t index, size_t element_bytes) {
    const size_t offset = rounded_up(layout.bytes, element_bytes);
    layout.arrays.push_back({holds, index, element_bytes, offset});
    layout.bytes = offset + element_bytes * static_cast<size_t>(batch.entries);
  };
  for (size_t i = 0; i < batch.is_common.size(); ++i) {
    if (!batch.is_common[i]) add(BatchLayout::Holds::address, i, sizeof(void*));
  }
  for (size_t i = 0; i < params; ++i) {
    add(BatchLayout::Holds::param, i, static_cast<size_t>(size_bits) / 8);
  }
  add(BatchLayout::Holds::first_block, 0, sizeof(int32_t));
  size_t alignment = 1;
  for (const BatchLayout::Array& array : layout.arrays) {
    if (array.element_bytes > alignment) alignment = array.element_bytes;
  }
  layout.bytes = rounded_up(layout.bytes, alignment);
  return layout;
}

}  // namespace ridge

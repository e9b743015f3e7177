#include "ridge/core/layout_word.h"

namespace ridge {
namespace {

bool starts_aligned(const TensorImpl& tensor) {
  if (tensor.device.kind == DeviceKind::cpu || tensor.offset.is_symbolic()) return true;
  const auto start = reinterpret_cast<uintptr_t>(tensor.storage->peek());
  const auto bits = static_cast<uint64_t>(*tensor.offset.known() * tensor.dtype.bits);
  return (start + bits / 8) % LayoutWord::kAlignment == 0;
}

}  // namespace

LayoutWord LayoutWord::make(const TensorImpl& tensor) {
  const size_t rank = tensor.shape.size();
  uint64_t bits = kMade | static_cast<uint64_t>(rank) << kRankShift;
  if (starts_aligned(tensor)) bits |= kAligned;
  if (!tensor.is_contiguous || rank > kLargestPackedRank) return LayoutWord(bits);
  const int width = width_of(rank);
  uint64_t sizes = 0;
  for (size_t i = rank; i-- > 0;) {
    const auto size = tensor.shape[i].known();
    if (!size || static_cast<uint64_t>(*size) >> width != 0) return LayoutWord(bits);
    sizes = sizes << width | static_cast<uint64_t>(*size);
  }
  return LayoutWord(bits | kPacked | sizes << kSizesShift);
}

}  // namespace ridge

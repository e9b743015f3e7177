// Sizes, strides and alignment of a tensor in one word, kept with the tensor.
//
//   f32[64, 512], row-major   ->  {packed, aligned, rank 2, 64, 512}
//   a transposed view of it   ->  {aligned, rank 2}: its sizes and strides are to be compared
//
// A row-major tensor of up to 7 dimensions whose sizes fit (29 bits each for a matrix, 14 for four
// dimensions) is packed: its word holds the sizes themselves, so that two packed words are equal
// exactly when the sizes are. Any other tensor's word says only that there is more to compare.
//
// Aligned: the first element is at a multiple of 16 bytes, which kernels of a GPU build on. On the
// CPU no kernel asks, and every tensor counts as aligned, or views would need programs of their own.
#pragma once

#include "ridge/core/tensor.h"

namespace ridge {

class LayoutWord {
 public:
  static constexpr uint64_t kAlignment = 16;  // bytes of the widest access of a kernel
  static constexpr uint64_t kPacked = 2;      // the bit that says so

  explicit LayoutWord(uint64_t bits) : bits_(bits) {}

  uint64_t bits() const { return bits_; }
  bool is_packed() const { return (bits_ & kPacked) != 0; }
  bool is_aligned() const { return (bits_ & kAligned) != 0; }
  size_t rank() const {
    return is_packed() ? bits_ >> kRankShift & kLargestPackedRank : bits_ >> kRankShift;
  }
  // Of a packed word.
  int64_t size(size_t dim) const {
    const int width = width_of(rank());
    return static_cast<int64_t>(bits_ >> (kSizesShift + width * static_cast<int>(dim)) &
                                ((uint64_t{1} << width) - 1));
  }

  static LayoutWord make(const TensorImpl& tensor);

 private:
  static constexpr uint64_t kMade = 1, kAligned = 4;
  static constexpr int kRankShift = 3, kSizesShift = 6;
  static constexpr size_t kLargestPackedRank = 7;
  static constexpr int width_of(size_t rank) {
    return rank == 0 ? 0 : (64 - kSizesShift) / static_cast<int>(rank);
  }

  uint64_t bits_;
};

// Made when a tensor is first asked. Two threads that ask at once make the same word.
inline LayoutWord layout_word(const TensorImpl& tensor) {
  uint64_t bits = tensor.layout_word.load(std::memory_order_relaxed);
  if (bits == 0) [[unlikely]] {
    bits = LayoutWord::make(tensor).bits();
    tensor.layout_word.store(bits, std::memory_order_relaxed);
  }
  return LayoutWord(bits);
}

}  // namespace ridge

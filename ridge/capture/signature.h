// What a captured program was captured for: everything about its arguments but the elements.
//
//   f(x: f32[2, 3], 7)  ->  {tensor f32 cpu, packed 2 x 3}, {number, 7}, {grad mode, autocast}
//
// In: the tensors and numbers of a call, in visiting order. Out: a list of words that is equal for
// two calls exactly when one program serves both. An item is two words, the first with its kind:
// - a tensor: dtype, device, whether it is row-major, weak or requires grad; then its layout word
//   (core/layout_word.h), which the tensor itself keeps. Where that does not hold the sizes, they
//   and the strides follow.
// - an undefined tensor; a number.
// - two tensors that share a storage: which, and how many bytes the second starts behind the first.
//   How far each reaches follows from sizes and strides. Offsets of other tensors are no part of it.
// - the state of the thread that changes what is recorded: autocast and grad mode. All programs are
//   deterministic, so there is no such mode to guard.
//
// A Signature is built on every call, so building reuses its memory and writes words in sequence.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "ridge/core/layout_word.h"

namespace ridge::capture {

class Signature {
 public:
  enum class Item : uint8_t { undefined, number, tensor, alias, thread };
  static constexpr uint64_t kIsSize = 1;  // in the head of a number

  void clear() { size_ = 0; }
  void add_undefined() { add(header(Item::undefined, 0), 0); }
  void add_number(int64_t value) { add(header(Item::number, 0), static_cast<uint64_t>(value)); }
  // An argument of type Size: a number that may become a symbol.
  void add_size(int64_t value) { add(header(Item::number, kIsSize), static_cast<uint64_t>(value)); }
  void add_tensor(const TensorImpl& tensor) {
    const LayoutWord layout = layout_word(tensor);
    add(head_of(tensor), layout.bits());
    if (!layout.is_packed()) [[unlikely]]
      add_layout(tensor);
  }
  // Tensor number `second` of the call views the storage that `first`, before it, views.
  void add_alias(size_t first, size_t second, int64_t bytes_between);
  // The end: adds the state of the thread, takes the hash.
  void finish();

  uint64_t hash() const { return hash_; }
  std::span<const uint64_t> words() const { return {words_.data(), size_}; }
  bool operator==(const Signature& other) const;

 private:
  static constexpr uint64_t header(Item item, uint64_t rest) {
    return static_cast<uint64_t>(item) | rest << 8;
  }
  static uint64_t head_of(const TensorImpl& tensor) {
    static_assert(sizeof(DType) == 2 && sizeof(Device) == 2);
    const uint64_t dtype = std::bit_cast<uint16_t>(tensor.dtype);
    const uint64_t device = std::bit_cast<uint16_t>(tensor.device);
    const uint64_t flags = static_cast<uint64_t>(tensor.is_contiguous) |
                           static_cast<uint64_t>(tensor.is_weak) << 1 |
                           static_cast<uint64_t>(tensor.requires_grad) << 2;
    return header(Item::tensor, dtype | device << 16 | flags << 32);
  }
  void add(uint64_t head, uint64_t body) {
    if (size_ + 2 > capacity_) [[unlikely]]
      grow(2);
    words_[size_] = head;
    words_[size_ + 1] = body;
    size_ += 2;
  }
  void add_layout(const TensorImpl& tensor);
  void grow(size_t count);

  std::vector<uint64_t> words_;  // the first size_ of them
  size_t capacity_ = 0;          // words_.size(), without the division
  size_t size_ = 0;
  uint64_t hash_ = 0;
};

}  // namespace ridge::capture

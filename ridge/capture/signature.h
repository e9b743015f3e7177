// What a captured program was captured for: everything about its arguments but the elements.
//
//   f(x: f32[2, 3], 7)  ->  words {tensor f32 rank 2, 2, 3, number, 7}, and their hash
//
// In: the tensors and numbers of a call, in visiting order. Out: a list of words that is equal for
// two calls exactly when one program serves both. Per tensor: dtype, device, weakness, sizes, and
// strides unless it is contiguous; an undefined tensor is one word. Then which tensors share
// memory, and the state of the thread that changes what is recorded (autocast).
//
// A Signature is built on every call, so building reuses its memory and writes words in sequence;
// the hash is taken over four lanes at once.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ridge/core/tensor.h"

namespace ridge::capture {

class Signature {
 public:
  void clear() { size_ = 0; }
  void add_undefined() { *room(1) = header(Item::undefined, 0); }
  void add_number(int64_t value) {
    uint64_t* out = room(2);
    out[0] = header(Item::number, 0);
    out[1] = static_cast<uint64_t>(value);
  }
  void add_tensor(const TensorImpl& tensor);
  // Tensor number `second` of the call views the storage that `first`, before it, views, and begins
  // `distance` bytes after it.
  void add_alias(size_t first, size_t second, int64_t distance);
  // The end: adds the state of the thread, takes the hash.
  void finish();

  uint64_t hash() const { return hash_; }
  std::span<const uint64_t> words() const { return {words_.data(), size_}; }
  bool operator==(const Signature& other) const;

 private:
  friend class SignatureReader;
  enum class Item : uint8_t { undefined, number, tensor, alias, thread };

  static constexpr uint64_t header(Item item, uint64_t rest) {
    return static_cast<uint64_t>(item) | rest << 8;
  }
  static uint64_t word_of(const Size& size) {
    if (size.is_symbolic()) [[unlikely]]
      throw_symbolic(size);
    return static_cast<uint64_t>(size.value());
  }
  uint64_t* room(size_t count) {
    if (size_ + count > capacity_) [[unlikely]]
      grow(count);
    uint64_t* out = words_.data() + size_;
    size_ += count;
    return out;
  }
  void grow(size_t count);
  [[noreturn]] static void throw_symbolic(const Size& size);

  std::vector<uint64_t> words_;  // the first size_ of them
  size_t capacity_ = 0;          // words_.size(), without the division
  size_t size_ = 0;
  uint64_t hash_ = 0;
};

inline void Signature::add_tensor(const TensorImpl& tensor) {
  static_assert(sizeof(DType) == 2 && sizeof(Device) == 2);
  const size_t rank = tensor.shape.size();
  const auto dtype = std::bit_cast<uint16_t>(tensor.dtype);
  const auto device = std::bit_cast<uint16_t>(tensor.device);
  const uint64_t flags = (tensor.is_contiguous ? 1u : 0u) | (tensor.is_weak ? 2u : 0u);
  uint64_t* out = room(1 + (tensor.is_contiguous ? rank : 2 * rank));
  *out++ = header(Item::tensor, dtype | static_cast<uint64_t>(device) << 16 | flags << 32 |
                                    static_cast<uint64_t>(rank) << 40);
  for (size_t i = 0; i < rank; ++i) *out++ = word_of(tensor.shape[i]);
  if (tensor.is_contiguous) [[likely]]
    return;
  for (size_t i = 0; i < rank; ++i) *out++ = word_of(tensor.strides[i]);
}

// Why a call with signature `given` cannot use what was captured for `kept`: the first difference,
// in one line. `names` are those of the tensors and numbers in visiting order, as far as known.
//   "x: f32[2, 3] before, f32[4, 3] now"
std::string describe_difference(const Signature& kept, const Signature& given,
                                std::span<const std::string> names = {});

}  // namespace ridge::capture

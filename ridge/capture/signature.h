// What a captured program was captured for: everything about its arguments but the elements.
//
//   f(x: f32[2, 3], 7)  ->  {number at 1, 7}, {tensor f32 cpu, packed 2 x 3}, {thread, ...}
//
// In: the tensors and numbers of a call, in visiting order. Out: a list of words that is equal for
// two calls exactly when one program serves both. An item is two words, the first with its kind, and
// items stand in this order:
// - numbers, each with its place among all that was visited;
// - tensors: dtype, device, whether row-major, weak or requiring grad, then the layout word, which the
//   tensor itself keeps (core/layout_word.h); undefined ones;
// - pairs of tensors that share a storage: which, and how many bytes the second starts behind the
//   first. How far they reach follows from the sizes. Offsets of other tensors are no part of it;
// - the state of the thread that changes what is recorded: autocast and grad mode. All programs are
//   deterministic, so there is no such mode to guard;
// - sizes, then strides, of tensors whose layout word does not hold them.
//
// A Signature is built on every call, so building reuses its memory and writes words in sequence.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ridge/core/layout_word.h"

namespace ridge::capture {

class Signature {
 public:
  // In the highest byte of the first word of an item.
  enum class Item : uint8_t { undefined, number, tensor, alias, thread };

  void clear() { size_ = 0; }
  // In this order, then finish.
  void add_number(size_t place, int64_t value) {
    add(header(Item::number, place), static_cast<uint64_t>(value));
  }
  size_t number_count() const { return size_ / 2; }
  // For the tensors, two words each: word_of, and the layout word; both 0 for an undefined one.
  uint64_t* add_tensors(size_t count);
  static uint64_t word_of(const TensorImpl& tensor) {
    return header(Item::tensor, 0) | tensor.word();
  }
  // Tensor number `second` of the call views the storage that `first`, before it, views.
  void add_alias(size_t first, size_t second, int64_t bytes_between);
  // Adds the state of the thread, the last item.
  void add_thread();
  // Of a tensor whose layout word is not packed.
  void add_layout(const TensorImpl& tensor);
  void finish();  // takes the hash

  uint64_t hash() const { return hash_; }
  std::span<const uint64_t> words() const { return {words_.data(), size_}; }
  // Reading them again: two words for each item, then the sizes and strides that follow all items.
  std::span<const uint64_t> items() const { return words().first(item_words_); }
  std::span<const uint64_t> layouts() const { return words().subspan(item_words_); }
  static Item kind_of(uint64_t head) { return static_cast<Item>(head >> kKindShift); }
  static uint64_t rest_of(uint64_t head) { return head & ((uint64_t{1} << kKindShift) - 1); }
  bool operator==(const Signature& other) const;

 private:
  static constexpr int kKindShift = 56;
  static constexpr uint64_t header(Item item, uint64_t rest) {
    return static_cast<uint64_t>(item) << kKindShift | rest;
  }
  void add(uint64_t head, uint64_t body) {
    if (size_ + 2 > capacity_) [[unlikely]]
      grow(2);
    words_[size_] = head;
    words_[size_ + 1] = body;
    size_ += 2;
  }
  void grow(size_t count);

  std::vector<uint64_t> words_;  // the first size_ of them
  size_t capacity_ = 0;          // words_.size(), without the division
  size_t size_ = 0;
  size_t item_words_ = 0;  // those before layouts
  uint64_t hash_ = 0;
};

// Why one call cannot use the program of another: the guards that do not hold.
//
//   f(x: f32[2, 3])  after  f(x: f32[4, 3])   ->   {guard "size 0", argument "x", before "4", now "2"}
//                                                  "x: f32[4, 3] before, f32[2, 3] now"

struct Difference {
  // "size 0", "rank", "dtype", "device", "strides", "row-major", "alignment", "weak",
  // "requires_grad", "defined", "kind", "value", "aliasing", "autocast", "grad mode"
  std::string guard;
  std::string argument;  // "model.head.weight"; empty for what belongs to the whole call
  std::string before;    // what the guard holds for
  std::string now;       // what it was given
  std::string text;      // in one line, the whole argument before and now
};

// The first one. `names` are those of tensors and numbers in visiting order, as far as known.
std::optional<Difference> first_difference(const Signature& kept, const Signature& given,
                                           std::span<const std::string> names = {});
// Its text, or "no difference".
std::string describe_difference(const Signature& kept, const Signature& given,
                                std::span<const std::string> names = {});
// How many items differ, for finding the program that nearly served a call.
size_t count_differences(const Signature& kept, const Signature& given);

}  // namespace ridge::capture

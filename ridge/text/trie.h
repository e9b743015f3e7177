// FlatMap and Trie: numbers by number, and numbers by the bytes of a string, each in one array.
//
//   FlatMap map(2);
//   map.insert(pair_key(3, 4), 17);     map.find(pair_key(3, 4)) == 17, map.find(9) == FlatMap::kNone
//
//   Trie trie;
//   trie.insert("ab", 5);
//   trie.for_each_prefix("abc", [](size_t length, uint32_t value) { ... });     (2, 5)
//
// Keys are never removed. Of two inserts of one key the last counts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace ridge::text {

inline uint64_t pair_key(uint32_t left, uint32_t right) {
  return (static_cast<uint64_t>(left) << 32) | right;
}

class FlatMap {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  explicit FlatMap(size_t expected = 0) { rehash(2 * expected + 2); }

  void insert(uint64_t key, uint32_t value) {
    if (4 * (count_ + 1) > 3 * slots_.size()) rehash(2 * slots_.size());
    Slot& slot = slots_[place_of(key)];
    if (slot.value == kNone) ++count_;
    slot = {key, value};
  }
  uint32_t find(uint64_t key) const { return slots_[place_of(key)].value; }

 private:
  struct Slot {
    uint64_t key = 0;
    uint32_t value = kNone;
  };

  size_t place_of(uint64_t key) const {
    size_t place = static_cast<size_t>((key * 0x9e3779b97f4a7c15) >> shift_);
    while (slots_[place].value != kNone && slots_[place].key != key) {
      place = (place + 1) & (slots_.size() - 1);
    }
    return place;
  }
  void rehash(size_t least) {
    std::vector<Slot> old = std::move(slots_);
    size_t size = 4;
    shift_ = 62;
    for (; size < least; size *= 2) --shift_;
    slots_.assign(size, Slot{});
    for (const Slot& slot : old) {
      if (slot.value != kNone) slots_[place_of(slot.key)] = slot;
    }
  }

  std::vector<Slot> slots_;
  size_t count_ = 0;
  int shift_ = 62;
};

class Trie {
 public:
  void insert(std::string_view key, uint32_t value) {
    uint32_t node = 0;
    for (const char c : key) {
      const uint64_t edge = edge_key(node, c);
      uint32_t next = edges_.find(edge);
      if (next == FlatMap::kNone) {
        next = static_cast<uint32_t>(values_.size());
        values_.push_back(FlatMap::kNone);
        edges_.insert(edge, next);
      }
      node = next;
    }
    values_[node] = value;
  }

  // Each key that `text` starts with, from the shortest; the empty key is none.
  template <class Visit>
  void for_each_prefix(std::string_view text, Visit visit) const {
    uint32_t node = 0;
    for (size_t i = 0; i < text.size(); ++i) {
      node = edges_.find(edge_key(node, text[i]));
      if (node == FlatMap::kNone) return;
      if (values_[node] != FlatMap::kNone) visit(i + 1, values_[node]);
    }
  }

  struct Match {
    size_t length = 0;
    uint32_t value = FlatMap::kNone;
  };
  // The longest of them; a length of 0 if there is none.
  Match longest_prefix(std::string_view text) const {
    Match longest;
    for_each_prefix(text, [&](size_t length, uint32_t value) { longest = {length, value}; });
    return longest;
  }

 private:
  static uint64_t edge_key(uint32_t node, char c) {
    return (static_cast<uint64_t>(node) << 8) | static_cast<unsigned char>(c);
  }

  FlatMap edges_;
  std::vector<uint32_t> values_ = {FlatMap::kNone};
};

}  // namespace ridge::text

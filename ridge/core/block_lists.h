// Lists of free blocks by their size. Small tensors are made in every call of a compiled function, so
// the lists of small sizes are found by arithmetic alone.
#pragma once

#include <array>
#include <cstddef>
#include <unordered_map>
#include <vector>

#include "ridge/core/allocator.h"

namespace ridge {

template <class Block>
class BlockLists {
 public:
  using List = std::vector<Block>;

  // Made if there is none yet. `bytes` is a multiple of the alignment, if it is not huge.
  List& of(size_t bytes) {
    return bytes <= kSmall ? small_[bytes / kAllocationAlignment] : large_[bytes];
  }
  List* find(size_t bytes) {  // null if there is none
    if (bytes <= kSmall) return &small_[bytes / kAllocationAlignment];
    const auto found = large_.find(bytes);
    return found != large_.end() ? &found->second : nullptr;
  }
  // `visit(bytes, list)` for each list.
  template <class Visit>
  void for_each(const Visit& visit) {
    for (size_t i = 0; i < small_.size(); ++i) visit(i * kAllocationAlignment, small_[i]);
    for (auto& [bytes, list] : large_) visit(bytes, list);
  }

 private:
  static constexpr size_t kSmall = 4096;
  std::array<List, kSmall / kAllocationAlignment + 1> small_;  // by multiple
  std::unordered_map<size_t, List> large_;
};

}  // namespace ridge

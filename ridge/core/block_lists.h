// Lists of free blocks by their size, as CachingAllocator::block_bytes gives it. Small tensors are made in
// every call of a compiled function, so the lists of small sizes are found by arithmetic alone.
//
//   lists.of(1024).push_back(block);         released
//   if (auto* list = lists.find(1024)) ...   asked for again
//
// Not synchronized: an allocator asks with its mutex held.
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

  // Made if there is none yet.
  List& of(size_t bytes) {
    return bytes <= kSmallBytes ? small_[bytes / kAllocationAlignment] : large_[bytes];
  }
  List* find(size_t bytes) {  // null if there is none
    if (bytes <= kSmallBytes) return &small_[bytes / kAllocationAlignment];
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
  static constexpr size_t kSmallBytes = 4096;
  std::array<List, kSmallBytes / kAllocationAlignment + 1> small_;  // by multiple
  std::unordered_map<size_t, List> large_;
};

}  // namespace ridge

// One launch for many entries: fills the table that the kernel of a batch reads (core/batch_layout.h). Buffers that all entries share are ordinary arguments, and no part of the table.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "ridge/core/batch_layout.h"
#include "ridge/execute/device_kernels.h"

namespace ridge::execute {

class BatchTable {
 public:
  // `sizes` has the params of each entry. Addresses are those of a run.
  BatchTable(const BuiltCudaKernel& kernel, std::span<const std::vector<int64_t>> sizes);

  int64_t blocks() const { return blocks_; }  // of the whole grid
  // Sets the addresses, and gives those that all entries share. `memory` is by buffer of the plan.
  std::vector<void*> place_entries(const BuiltCudaKernel& kernel, const ExecutableCall& call,
                                   std::span<void* const> memory);
  void set_buffer(size_t entry, size_t buffer, void* address);
  const void* data() const { return bytes_.data(); }
  size_t size() const { return bytes_.size(); }

 private:
  BatchLayout layout_;
  int64_t blocks_ = 0;
  std::vector<std::byte> bytes_;
};

// The params of each entry of a call.
std::vector<std::vector<int64_t>> entry_sizes(const ExecutableCall& call);

}  // namespace ridge::execute

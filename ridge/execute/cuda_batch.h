// One launch for many entries: the table that the kernel of a batch reads, its first argument by value.
//
//   struct Entries {             // as codegen/cuda/batched.h prints it
//     float* p[150];             // by entry: a buffer of its own,
//     int n[150];                // a param,
//     int first_block[150];      // and where its blocks begin in the grid
//   };
//
// Buffers that all entries share are ordinary arguments, and no part of the table.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "ridge/execute/device_kernels.h"

namespace ridge::execute {

class BatchTable {
 public:
  // `sizes` has the params of each entry. Addresses are those of a run.
  BatchTable(const CudaKernel& kernel, std::span<const std::vector<int64_t>> sizes);

  int64_t blocks() const { return blocks_; }  // of the whole grid
  // Sets the addresses, and gives those that all entries share. `memory` is by buffer of the plan.
  std::vector<void*> place_entries(const CudaKernel& kernel, const ExecutableCall& call,
                                   std::span<void* const> memory);
  void set_buffer(size_t entry, size_t buffer, void* address);
  const void* data() const { return bytes_.data(); }
  size_t size() const { return bytes_.size(); }

 private:
  size_t entries_;
  std::vector<size_t> column_;  // by buffer: which array of pointers
  int64_t blocks_ = 0;
  std::vector<std::byte> bytes_;
};

// The params of each entry of a call.
std::vector<std::vector<int64_t>> entry_sizes(const ExecutableCall& call);

}  // namespace ridge::execute

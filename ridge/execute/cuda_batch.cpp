#include "ridge/execute/cuda_batch.h"

#include <cstring>

#include "ridge/base/error.h"
#include "ridge/expr/evaluate.h"

namespace ridge::execute {

int64_t block_count(const expr::Expr& blocks, std::span<const int64_t> sizes) {
  const expr::Leaves leaves{
      .param = [&](int index) { return expr::Number::of(sizes[static_cast<size_t>(index)]); }};
  return expr::evaluate(blocks, leaves).as_integer();
}

std::vector<std::vector<int64_t>> entry_sizes(const ExecutableCall& call) {
  std::vector<std::vector<int64_t>> sizes;
  for (const ExecutableCall::Entry& entry : call.entries) sizes.push_back({entry.count});
  return sizes;
}

BatchTable::BatchTable(const BuiltCudaKernel& kernel, std::span<const std::vector<int64_t>> sizes)
    : layout_(
          batch_layout(kernel.batch, sizes.empty() ? 0 : sizes.front().size(), kernel.size_bits)) {
  RIDGE_INTERNAL_CHECK(static_cast<int>(sizes.size()) == kernel.batch.entries,
                       "a table of another number of entries than the kernel's");
  bytes_.resize(layout_.bytes);
  for (size_t e = 0; e < sizes.size(); ++e) {
    for (size_t i = 0; i < sizes[e].size(); ++i) {
      // The low half of a number that fits comes first.
      std::memcpy(bytes_.data() + layout_.offset(BatchLayout::Holds::param, i, e), &sizes[e][i],
                  static_cast<size_t>(kernel.size_bits) / 8);
    }
    const auto first = static_cast<int32_t>(blocks_);
    std::memcpy(bytes_.data() + layout_.offset(BatchLayout::Holds::first_block, 0, e), &first,
                sizeof first);
    blocks_ += block_count(kernel.blocks, sizes[e]);
  }
  RIDGE_INTERNAL_CHECK(blocks_ < int64_t{1} << 31, "more blocks than a grid has");
}

void BatchTable::set_buffer(size_t entry, size_t buffer, void* address) {
  const size_t offset = layout_.offset(BatchLayout::Holds::address, buffer, entry);
  std::memcpy(bytes_.data() + offset, &address, sizeof address);
}

std::vector<void*> BatchTable::place_entries(const BuiltCudaKernel& kernel,
                                             const ExecutableCall& call,
                                             std::span<void* const> memory) {
  const auto address = [&](int buffer) { return memory[static_cast<size_t>(buffer)]; };
  std::vector<void*> common;
  for (size_t i = 0; i < kernel.batch.is_common.size(); ++i) {
    if (kernel.batch.is_common[i]) {
      common.push_back(address(call.entries.front().buffers[i]));
      continue;
    }
    for (size_t e = 0; e < call.entries.size(); ++e) {
      set_buffer(e, i, address(call.entries[e].buffers[i]));
    }
  }
  return common;
}

}  // namespace ridge::execute

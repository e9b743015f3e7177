#include "ridge/driver/cuda_batch.h"

namespace ridge::driver {

codegen::CudaBatch batch_shape(const schedule::KernelCall& call) {
  codegen::CudaBatch batch{.entries = static_cast<int>(call.entries.size())};
  if (call.entries.empty()) return batch;
  const std::vector<int>& first = call.entries.front().buffers;
  batch.is_common.assign(first.size(), true);
  for (const schedule::KernelCall::Entry& entry : call.entries) {
    for (size_t i = 0; i < first.size(); ++i) {
      if (entry.buffers[i] != first[i]) batch.is_common[i] = false;
    }
  }
  return batch;
}

codegen::BatchTable batch_table(const codegen::CudaKernel& kernel,
                                const schedule::KernelCall& call) {
  std::vector<std::vector<int64_t>> sizes;
  for (const schedule::KernelCall::Entry& entry : call.entries) sizes.push_back({entry.count});
  return codegen::BatchTable(kernel, sizes);
}

std::vector<void*> place_entries(codegen::BatchTable& table, const codegen::CudaKernel& kernel,
                                 const schedule::KernelCall& call, std::span<void* const> memory) {
  const auto address = [&](int buffer) { return memory[static_cast<size_t>(buffer)]; };
  std::vector<void*> common;
  for (size_t i = 0; i < kernel.batch.is_common.size(); ++i) {
    if (kernel.batch.is_common[i]) {
      common.push_back(address(call.entries.front().buffers[i]));
      continue;
    }
    for (size_t e = 0; e < call.entries.size(); ++e) {
      table.set_buffer(e, i, address(call.entries[e].buffers[i]));
    }
  }
  return common;
}

}  // namespace ridge::driver

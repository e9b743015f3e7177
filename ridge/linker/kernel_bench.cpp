#include "ridge/linker/kernel_bench.h"

#include <algorithm>
#include <chrono>

#include "ridge/runtime/cpu/thread_pool.h"

namespace ridge::linker {

KernelBench::KernelBench(const schedule::Plan& plan, const graph::Graph& graph,
                         std::vector<Tensor> inputs) {
  std::vector<void*> addresses;
  Tensor arena = Tensor::empty({std::max<int64_t>(plan.arena_bytes, 1)}, u8);
  for (const schedule::PlannedBuffer& buffer : plan.buffers) {
    if (buffer.offset >= 0) {
      addresses.push_back(static_cast<std::byte*>(arena.raw_data()) + buffer.offset);
      continue;
    }
    memory_.push_back(buffer.kind == BufferKind::input ? inputs[static_cast<size_t>(buffer.index)]
                      : buffer.kind == BufferKind::constant
                          ? graph[buffer.value].constant
                          : Tensor::empty(buffer.shape, buffer.dtype));
    addresses.push_back(memory_.back().raw_data());
  }
  memory_.push_back(std::move(arena));
  std::vector<const loop::Kernel*> kernels;
  for (const schedule::KernelCall& call : plan.calls) kernels.push_back(&call.kernel);
  const auto built = build_cpu(kernels);
  for (size_t i = 0; i < plan.calls.size(); ++i) {
    Launch launch{built[i], {}};
    for (const int id : plan.calls[i].buffers) {
      launch.buffers.push_back(addresses[static_cast<size_t>(id)]);
    }
    seconds_of(launch, 1);
    kernels_.push_back(std::move(launch));
  }
}

double KernelBench::seconds_of(const Launch& launch, int64_t count) {
  std::vector<void*> buffers = launch.buffers;
  int32_t status = 0;
  const auto start = std::chrono::steady_clock::now();
  for (int64_t i = 0; i < count; ++i) {
    launch.kernel->function(buffers.data(), nullptr, &runtime::kernel_runtime(), &status);
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double KernelBench::time(size_t kernel, double seconds) const {
  const Launch& launch = kernels_[kernel];
  int64_t count = 1;
  double taken = seconds_of(launch, count);
  // From a launch or a few, how many fill the time.
  while (taken < seconds / 8) {
    count *= 4;
    taken = seconds_of(launch, count);
  }
  const double each = taken / static_cast<double>(count);
  count = std::max<int64_t>(1, static_cast<int64_t>(seconds / each));
  return seconds_of(launch, count) / static_cast<double>(count);
}

}  // namespace ridge::linker

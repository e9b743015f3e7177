#include "ridge/execute/cpu_batch.h"

#include <algorithm>
#include <atomic>

#include "ridge/base/small_vector.h"
#include "ridge/runtime/cpu/thread_pool.h"

namespace ridge::execute {
namespace {

// Elements of a task: a few microseconds of an update, and many times what it costs to start one.
constexpr int64_t kTaskElements = 32768;

}  // namespace

CpuBatch::CpuBatch(const ExecutableCall& call) : call_(call) {
  int64_t in_task = kTaskElements;  // so that the first piece begins a task
  for (size_t i = 0; i < call.entries.size(); ++i) {
    const int64_t count = call.entries[i].count;
    for (int64_t first = 0; first < count; first += kTaskElements) {
      const Piece piece{i, first, std::min(kTaskElements, count - first)};
      if (in_task + piece.count > kTaskElements) {
        tasks_.push_back(pieces_.size());
        in_task = 0;
      }
      in_task += piece.count;
      pieces_.push_back(piece);
    }
  }
  tasks_.push_back(pieces_.size());
}

int32_t CpuBatch::run_piece(const Piece& piece, KernelFunction function,
                            std::span<void* const> memory) const {
  const std::vector<int>& ids = call_.entries[piece.entry].buffers;
  SmallVector<void*, 32> buffers(ids.size());
  for (size_t i = 0; i < ids.size(); ++i) {
    buffers[i] = static_cast<std::byte*>(memory[static_cast<size_t>(ids[i])]) +
                 piece.first * call_.step_bytes[i];
  }
  int32_t status = 0;
  function(buffers.data(), &piece.count, &runtime::kernel_runtime(), &status);
  return status;
}

int32_t CpuBatch::run(KernelFunction function, std::span<void* const> memory) const {
  std::atomic<int32_t> failure{0};
  runtime::parallel(static_cast<int64_t>(tasks_.size()) - 1, 1, [&](int64_t begin, int64_t end) {
    const size_t last = tasks_[static_cast<size_t>(end)];
    for (size_t i = tasks_[static_cast<size_t>(begin)]; i < last; ++i) {
      const int32_t status = run_piece(pieces_[i], function, memory);
      int32_t none = 0;
      if (status != 0) failure.compare_exchange_strong(none, status);
    }
  });
  return failure;
}

}  // namespace ridge::execute

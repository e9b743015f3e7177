#include "ridge/runtime/cuda/status_words.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>
#include <vector>

#include "ridge/base/log.h"
#include "ridge/runtime/cuda/cuda_runtime.h"
#include "ridge/runtime/cuda/driver_api.h"

namespace ridge::runtime::cuda {

struct StatusWords::Block {
  int32_t* words = nullptr;
  size_t count = 0;
  Explain explain;
  std::atomic<uintptr_t> last_stream{0};  // handle of the last one noted, if has_stream
  std::atomic<bool> has_stream{false};
  // With the mutex of all blocks:
  std::vector<Stream> streams;  // that kernels were queued on, and may be at it
  bool is_retired = false;      // its owner is gone
  bool is_captured = false;

  Block() = default;
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;
  ~Block() {
    if (words != nullptr) cuda_runtime().pinned_allocator().release(words, count * sizeof *words);
  }

  std::optional<Set> first_set() const {
    for (size_t i = 0; i < count; ++i) {
      const int32_t status = std::atomic_ref(words[i]).load(std::memory_order_relaxed);
      if (status != 0) return Set{i, status};
    }
    return std::nullopt;
  }
  // Of several threads that find a word set, one takes it.
  std::optional<Set> take() const {
    while (const std::optional<Set> set = first_set()) {
      const int32_t status = std::atomic_ref(words[set->word]).exchange(0);
      if (status != 0) return Set{set->word, status};
    }
    return std::nullopt;
  }
  bool is_over() const { return is_retired && !is_captured && streams.empty() && !first_set(); }
};

namespace {

struct AllStatusWords {
  std::mutex mutex;
  std::vector<std::shared_ptr<StatusWords::Block>> blocks;

  static AllStatusWords& all() {
    static AllStatusWords& only = *new AllStatusWords;
    return only;
  }

  // `is_idle`: whether all that was queued on a stream is over.
  template <class IsIdle>
  void throw_what_is_set(const IsIdle& is_idle) {
    const std::lock_guard lock(mutex);
    std::optional<Error> late;
    for (const auto& block : blocks) {
      if (block->is_retired) std::erase_if(block->streams, is_idle);
      if (late) continue;  // the others are for the next wait
      if (const auto set = block->take()) late = block->explain(set->word, set->status);
    }
    std::erase_if(blocks, [](const auto& block) { return block->is_over(); });
    if (late) throw Error(*late);
  }
  void forget(Stream stream) {
    const std::lock_guard lock(mutex);
    for (const auto& block : blocks) {
      std::erase(block->streams, stream);
      block->has_stream.store(false);  // its handle may come back as that of another
    }
  }
};

}  // namespace

StatusWords::StatusWords(Device device, size_t count, Explain explain)
    : block_(std::make_shared<Block>()) {
  cuda_runtime().allocator(device);  // there is a context
  const size_t bytes = count * sizeof(int32_t);
  block_->words = static_cast<int32_t*>(cuda_runtime().pinned_allocator().allocate(bytes));
  block_->count = count;
  block_->explain = std::move(explain);
  std::memset(block_->words, 0, bytes);
  AllStatusWords& all = AllStatusWords::all();
  const std::lock_guard lock(all.mutex);
  all.blocks.push_back(block_);
}

StatusWords::~StatusWords() {
  {
    const std::lock_guard lock(AllStatusWords::all().mutex);
    block_->is_retired = true;
  }
  // Programs in static storage go after the driver and its memory.
  ContextHandle context = nullptr;
  if (driver().ctx_get_current(&context) != DriverResult::success) return;
  const std::optional<Set> set = block_->first_set();
  if (!set) return;
  try {
    log(LogLevel::warning, "kernels", block_->explain(set->word, set->status).what());
  } catch (...) {
    // A callback that throws, or no memory for the text: the next wait throws the failure itself.
  }
}

int32_t* StatusWords::data() const { return block_->words; }

void StatusWords::note_use(Stream stream) const {
  Block& block = *block_;
  if (block.has_stream.load(std::memory_order_acquire) &&
      block.last_stream.load(std::memory_order_relaxed) == stream.handle) {
    return;
  }
  const std::lock_guard lock(AllStatusWords::all().mutex);
  if (std::ranges::find(block.streams, stream) == block.streams.end()) {
    block.streams.push_back(stream);
  }
  block.last_stream.store(stream.handle, std::memory_order_relaxed);
  block.has_stream.store(true, std::memory_order_release);
}

void StatusWords::note_capture() const {
  const std::lock_guard lock(AllStatusWords::all().mutex);
  block_->is_captured = true;
}

std::optional<StatusWords::Set> StatusWords::take() const { return block_->take(); }

void StatusWords::throw_late(const Set& set) const {
  throw Error(block_->explain(set.word, set.status));
}

void forget_status_stream(Stream idle) { AllStatusWords::all().forget(idle); }

void throw_late_failures() {
  AllStatusWords::all().throw_what_is_set([](const Stream&) { return false; });
}

void throw_late_failures(Stream idle) {
  AllStatusWords::all().throw_what_is_set([&](const Stream& stream) { return stream == idle; });
}

void throw_late_failures(Device idle) {
  AllStatusWords::all().throw_what_is_set(
      [&](const Stream& stream) { return stream.device == idle; });
}

}  // namespace ridge::runtime::cuda

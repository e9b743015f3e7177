// Which loops can be streams, and how much room their rows get.
#include <algorithm>

#include "ridge/base/text.h"
#include "ridge/codegen/cuda/statement.h"
#include "ridge/codegen/cuda/stream.h"
#include "ridge/loop/verify_parts.h"

namespace ridge::codegen::cuda {
namespace {

// Rows that have room: three of them are computed, and the others come. A number that is no power of two costs a
// division where a row is asked for: gradients of RMS norms of 8192 x 10001 took 137 us with 4 on an H200 and 141
// with 5. Short rows need more, so that enough bytes are on their way: 9973 x 4097 took 100 us with 4, 91 with 8,
// one block on each unit; 32768 x 2049 164 with 4, 160 with 8, two blocks.
constexpr int64_t kMostStreamed = 8, kUsuallyStreamed = 4;
// Blocks of a cluster wait less often for the slowest of them: gradients of norms of 50257 took 331 us with 1 on an
// H200, 323 and 327 with 2.
constexpr int64_t kMostLag = 2;
constexpr size_t kMostSums = 8;
constexpr int kToldRows = 8;  // whose sums have room, a power of two: six are on their way at most

constexpr int64_t kSystemBytes = 1024;  // of shared memory, that each block takes for itself

// Bytes that a block can have.
int64_t shared_bytes_of(int arch) { return (arch >= 120 ? 99 : 227) * 1024; }

class StreamFinder {
 public:
  StreamFinder(const loop::Kernel& kernel, int64_t shared_bytes)
      : kernel_(kernel), shared_bytes_(shared_bytes) {
    for_each_statement(kernel.body, [&](const loop::Statement& statement) {
      count_ += as<loop::Fetch>(statement) != nullptr ? 1 : 0;
      meetings_ += as<loop::Barrier>(statement) != nullptr ||
                           as<loop::CollectiveReduce>(statement) != nullptr
                       ? 1
                       : 0;
      const auto* const loop = as<loop::Loop>(statement);
      const bool is_serial = loop != nullptr && loop->place == loop::Place::serial;
      if (is_serial && !loop->body.empty() && as<loop::Fetch>(loop->body.front())) {
        plan_.loop = loop;
      }
    });
  }

  std::optional<StreamPlan> run() {
    if (plan_.loop == nullptr) return std::nullopt;
    const int64_t threads = loop::block_threads(kernel_).value_or(0);
    plan_.warps = static_cast<int>(threads / kWarp);
    plan_.blocks = static_cast<int>(loop::cluster_blocks(kernel_));
    if (threads % kWarp != 0 || threads == 0 || threads + kWarp > 1024) return std::nullopt;
    plan_.on_a_unit = static_cast<int>(std::max<int64_t>(1, kernel_.min_blocks_per_sm));
    if (!find_parts() || !is_known_ahead() || !has_halves(kernel_, plan_)) return std::nullopt;
    find_chunks(kernel_, plan_);
    if (!fits()) return std::nullopt;
    return std::move(plan_);
  }

 private:
  const loop::Body& body() const { return plan_.loop->body; }

  // Fetches, a first half, sums across all threads, a second half.
  bool find_parts() {
    size_t i = 0;
    for (; i < body().size() && as<loop::Fetch>(body()[i]) != nullptr; ++i) {
      plan_.fetches.push_back(*as<loop::Fetch>(body()[i]));
    }
    while (i < body().size() && as<loop::CollectiveReduce>(body()[i]) == nullptr) ++i;
    plan_.first_across = i;
    for (; i < body().size() && as<loop::CollectiveReduce>(body()[i]) != nullptr; ++i) {
      const loop::CollectiveReduce& across = *as<loop::CollectiveReduce>(body()[i]);
      const loop::Scope all = plan_.blocks > 1 ? loop::Scope::cluster : loop::Scope::block;
      const bool is_sum = across.combine == loop::Combine::sum && across.scope == all &&
                          across.threads == 0 &&
                          kernel_.values[static_cast<size_t>(across.value)].dtype == f32;
      if (!is_sum) return false;
      plan_.sums.push_back(across.value);
    }
    plan_.behind_across = i;
    const size_t sums = plan_.sums.size();
    // A group of lanes adds up each sum, and one of them tells each block.
    const int64_t ways = sums > 4 ? 8 : sums > 2 ? 4 : static_cast<int64_t>(sums);
    return count_ == static_cast<int>(plan_.fetches.size()) &&
           meetings_ == static_cast<int>(sums) && sums > 0 && sums <= kMostSums &&
           ways * plan_.blocks <= kWarp;
  }

  // The warp that fetches computes no values: where rows lie, and how many there are, follows from axes.
  bool is_known_ahead() const {
    bool is_known = true;
    const auto ask = [&](const Expr& e) {
      expr::walk(e, [&](const Expr& node) {
        is_known &= node->kind != expr::Kind::input && node->kind != expr::Kind::load;
      });
    };
    for (const loop::Fetch& fetch : plan_.fetches) {
      ask(fetch.first);
      ask(fetch.count);
    }
    for_each_statement(kernel_.body, [&](const loop::Statement& statement) {
      if (!plan_.is_inside(statement)) return;
      if (const auto* const loop = as<loop::Loop>(statement)) ask(loop->extent);
      if (const auto* const branch = as<loop::If>(statement)) ask(branch->condition);
    });
    return is_known;
  }

  // Copies go to addresses that are equal to theirs modulo a line.
  bool fits() {
    for (const loop::Fetch& fetch : plan_.fetches) {
      const loop::Buffer& buffer = kernel_.buffers[static_cast<size_t>(fetch.buffer)];
      plan_.rooms.push_back(plan_.row_bytes);
      const auto bytes = static_cast<int64_t>(bytes_for(buffer.dtype, buffer.elements->integer));
      plan_.row_bytes += (bytes + 15 + kStreamLine + kStreamLine - 1) / kStreamLine * kStreamLine;
    }
    int64_t others = 0;
    for (size_t i = 0; i < kernel_.buffers.size(); ++i) {
      const loop::Buffer& buffer = kernel_.buffers[i];
      if (buffer.space != loop::Space::shared || plan_.holds(static_cast<int>(i))) continue;
      others += static_cast<int64_t>(bytes_for(buffer.dtype, buffer.elements->integer)) + 16;
    }
    const int64_t room = (shared_bytes_ + kSystemBytes) / plan_.on_a_unit - kSystemBytes;
    for (plan_.rows = kMostStreamed; plan_.rows > 1; --plan_.rows) {
      const bool is_usual = plan_.rows == kMostStreamed || plan_.rows <= kUsuallyStreamed;
      const int64_t bytes = plan_.own_bytes() + others + plan_.rows * plan_.row_bytes;
      if (is_usual && bytes <= room) break;
    }
    plan_.lag = std::clamp<int64_t>(plan_.rows - 2, 1, kMostLag);
    return plan_.rows >= 2;
  }

  const loop::Kernel& kernel_;
  int64_t shared_bytes_;
  int count_ = 0, meetings_ = 0;
  StreamPlan plan_{};
};

}  // namespace

int64_t StreamPlan::own_bytes() const {
  const auto told = static_cast<int64_t>(4 * kToldRows * sums.size()) * blocks * warps;
  return 8 * (2 * rows * static_cast<int64_t>(chunk_ends.size()) + kToldRows) + told;
}

bool StreamPlan::is_inside(const loop::Statement& statement) const {
  bool found = false;
  for_each_statement(statement,
                     [&](const loop::Statement& inner) { found |= as<loop::Loop>(inner) == loop; });
  return found;
}

bool StreamPlan::holds(int buffer) const {
  return std::ranges::find(fetches, buffer, &loop::Fetch::buffer) != fetches.end();
}

std::string StreamPlan::shared_type() const {
  return concat("ridge::StreamShared<", blocks, ", ", warps, ", ", sums.size(), ", ", rows, ", ",
                kToldRows, ", ", chunk_ends.size(), ">");
}

std::string StreamPlan::type() const {
  return concat("ridge::Stream<", blocks, ", ", warps, ", ", sums.size(), ", ", rows, ", ",
                kToldRows, ", ", row_bytes, ", ", join(chunk_ends, ", "), ">");
}

std::optional<StreamPlan> stream_plan(const loop::Kernel& kernel, const CudaTarget& target) {
  if (target.arch < 90) return std::nullopt;
  return StreamFinder(kernel, shared_bytes_of(target.arch)).run();
}

}  // namespace ridge::codegen::cuda

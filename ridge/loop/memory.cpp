#include "ridge/loop/memory.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "ridge/core/tensor.h"
#include "ridge/expr/evaluate.h"
#include "ridge/loop/device_limits.h"

namespace ridge::loop {
namespace {

using expr::Number;
using expr::Type;

constexpr int64_t kBanks = kCudaLimits.banks;
constexpr int64_t kBankBytes = kCudaLimits.bank_bytes;
constexpr size_t kMostLanes = 16;  // of a thread

}  // namespace

int64_t element_count(const Buffer& buffer, std::span<const int64_t> sizes) {
  expr::Leaves leaves;
  leaves.param = [&](int index) { return Number::of(sizes[static_cast<size_t>(index)]); };
  return std::max<int64_t>(0, evaluate(buffer.elements, leaves).integer);
}

Word read_element(DType dtype, const std::byte* data, int64_t index) {
  if (dtype == f32) {
    float element;
    std::memcpy(&element, data + index * int64_t{sizeof(float)}, sizeof(float));
    return {.real = static_cast<double>(element)};
  }
  const Number number = load_element(dtype, data, index);
  return number.type == Type::real ? Word{.real = number.real} : Word{.integer = number.integer};
}

void write_element(DType dtype, std::byte* data, int64_t index, Word word, Type type) {
  if (type == Type::real) return store_element(dtype, data, index, Number::of(word.real));
  store_element(dtype, data, index, Number::of(word.integer));
}

Memory::Memory(const Kernel& kernel, std::span<void* const> buffers, std::span<const int64_t> sizes,
               const Options& options, const Bytecode& program, Counts& counts)
    : kernel_(kernel),
      options_(options),
      is_gpu_(program.is_gpu),
      thread_shift_(program.thread_shift),
      blocks_(program.blocks),
      block_threads_(std::max(1u, (program.width >> program.thread_shift) / program.blocks)),
      counts_(counts) {
  for (size_t i = 0; i < kernel.buffers.size(); ++i) {
    const Buffer& buffer = kernel.buffers[i];
    Region region{.buffer = &buffer,
                  .data = nullptr,
                  .elements = element_count(buffer, sizes),
                  .element_bytes = static_cast<int64_t>(bytes_for(buffer.dtype, 1)),
                  .space = buffer.space,
                  .sharing = sharing(buffer.space),
                  .shadow = {},
                  .own = {}};
    if (buffer.space != Space::global) {
      region.own.resize(bytes_for(buffer.dtype, region.elements * copies(region)));
      region.data = region.own.data();
    } else {
      region.data = static_cast<std::byte*>(buffers[i]);
    }
    const bool can_race = buffer.access != Access::in && options.on_race != OnRace::ignore;
    if (can_race) region.shadow.resize(static_cast<size_t>(region.elements * copies(region)));
    regions_.push_back(std::move(region));
  }
  counts.buffers.resize(kernel.buffers.size());
  copies_in_flight_.resize(static_cast<size_t>(blocks_ * block_threads_));
}

int64_t Memory::sharing(Space space) const {
  if (space == Space::global) return 0;
  return space == Space::local ? 1 : block_threads_;
}

int64_t Memory::copies(const Region& region) const {
  return region.sharing == 0 ? 1 : blocks_ * block_threads_ / region.sharing;
}

void Memory::start(int64_t block) {
  block_ = block;
  first_thread_ = 0;
  order();
  for (auto& of_thread : copies_in_flight_) of_thread.clear();
  for (Region& region : regions_) {
    if (region.space == Space::global) continue;
    std::ranges::fill(region.shadow, Shadow{});
    std::ranges::fill(region.own, std::byte{0xff});  // NaN, where nobody looks
  }
}

void Memory::load(int buffer, Lanes lanes, Column index, Column dest) {
  Region& region = regions_[static_cast<size_t>(buffer)];
  for (const uint32_t lane : lanes) {
    const int64_t at = index[lane].integer;
    if (!is_in_range(region, at, true)) {
      dest[lane] = {};
      continue;
    }
    if (!region.shadow.empty()) touch(region, at, lane, true);
    dest[lane] = read_element(region.buffer->dtype, region.data, place(region, at, lane));
  }
  count(static_cast<size_t>(buffer), lanes, index, true);
}

void Memory::store(int buffer, Lanes lanes, Column index, Column value, Type type) {
  Region& region = regions_[static_cast<size_t>(buffer)];
  for (const uint32_t lane : lanes) {
    const int64_t at = index[lane].integer;
    if (!is_in_range(region, at, false)) continue;
    if (!region.shadow.empty()) touch(region, at, lane, false);
    write_element(region.buffer->dtype, region.data, place(region, at, lane), value[lane], type);
  }
  count(static_cast<size_t>(buffer), lanes, index, false);
}

bool Memory::is_in_range(const Region& region, int64_t index, bool is_load) const {
  if (index >= 0 && index < region.elements) [[likely]]
    return true;
  if (counts_.status != KernelStatus::ok) return false;
  throw_error({.op = kernel_.name,
               .expected = concat(is_load ? "loads" : "stores", " within the ", region.elements,
                                  " elements of ", region.buffer->name),
               .given = concat(region.buffer->name, "[", index, "]")});
}

// Whether nothing orders the two, of which one is a write.
bool Memory::races(const Touch& before, const Touch& now) const {
  if (before.block == kNone) return false;
  if (before.block != now.block) return true;
  if (before.epoch != now.epoch) return false;
  if (before.thread != now.thread) return true;
  return before.vector_run != 0 && before.vector_run == now.vector_run &&
         before.iteration != now.iteration;
}

Memory::Touch Memory::touch_of(uint32_t lane) const {
  const int64_t thread = first_thread_ + (lane >> thread_shift_);
  const int64_t block = is_gpu_ ? thread / block_threads_ : 0;
  return {block_ * blocks_ + block, thread - block * block_threads_, epoch_, vector_run_,
          lane & ((1 << thread_shift_) - 1)};
}

void Memory::touch(Region& region, int64_t index, uint32_t lane, bool is_load) {
  Shadow& shadow = region.shadow[static_cast<size_t>(place(region, index, lane))];
  const Touch now = touch_of(lane);
  if (shadow.is_in_flight || (shadow.pending_reads > 0 && !is_load))
    report_in_flight(region, index, now);
  if (races(shadow.write, now)) report_race(region, index, shadow.write, now);
  if (!is_load) {
    if (races(shadow.read, now)) report_race(region, index, shadow.read, now);
    shadow.write = now;
    return;
  }
  if (region.space != Space::global && shadow.write.block == kNone &&
      counts_.status == KernelStatus::ok) {
    const std::string space = region.space == Space::shared ? "shared" : "local";
    throw_error({.op = kernel_.name,
                 .expected = concat("loads of ", space, " memory that was written before"),
                 .given = concat(region.buffer->name, "[", index, "], read by ", who(now, true))});
  }
  // One record stands for all reads: of this epoch the thread, of all time the block.
  Touch& reads = shadow.read;
  const bool is_of_one_block = reads.block == kNone || reads.block == now.block;
  const bool is_of_one_thread = reads.epoch != now.epoch || reads.thread == now.thread;
  const bool is_of_one_lane = reads.epoch != now.epoch || reads.vector_run != now.vector_run ||
                              reads.iteration == now.iteration;
  reads = {is_of_one_block ? now.block : kMany, is_of_one_thread ? now.thread : kMany, now.epoch,
           now.vector_run, is_of_one_lane ? now.iteration : kMany};
}

std::string Memory::who(const Touch& touch, bool is_task_known) const {
  const auto number = [](int64_t n) { return n == kMany ? "(several)" : ridge::to_text(n); };
  if (is_gpu_) {
    const std::string lane =
        touch.vector_run == 0 ? "" : concat("iteration ", number(touch.iteration), " of ");
    return concat(lane, "thread ", number(touch.thread), " of block ", number(touch.block));
  }
  const std::string task = concat("task ", number(touch.block));
  return is_task_known ? concat("iteration ", number(touch.thread), " of ", task) : task;
}

void Memory::report_race(const Region& region, int64_t index, const Touch& before,
                         const Touch& now) {
  ++counts_.races;
  if (options_.on_race != OnRace::fail || counts_.status != KernelStatus::ok) return;
  const bool is_one_task = before.block == now.block;
  throw_error({.op = kernel_.name,
               .expected = "accesses that are ordered where one is a write",
               .given = concat("a race at ", region.buffer->name, "[", index, "] between ",
                               who(before, is_one_task), " and ", who(now, is_one_task))});
}

void Memory::count(size_t buffer, Lanes lanes, Column index, bool is_load) {
  if (regions_[buffer].space == Space::local) return;  // registers
  const uint32_t warp_lanes = kWarpSize << thread_shift_;
  for (size_t i = 0; i < lanes.size();) {
    const size_t first = i;
    const uint32_t warp = lanes[i] / warp_lanes;
    while (i < lanes.size() && lanes[i] / warp_lanes == warp) ++i;
    count_warp(buffer, lanes.subspan(first, i - first), index, is_load);
  }
}

// A wide access is one; what is not contiguous along a vector loop is an access for each iteration.
void Memory::count_warp(size_t buffer, Lanes warp, Column index, bool is_load) {
  const int64_t elements = regions_[buffer].elements;
  std::array<int64_t, kWarpSize * kMostLanes> indices;
  const bool is_one_access = vector_run_ == 0 || is_wide(warp, index);
  const uint32_t iterations = is_one_access ? 1 : 1u << thread_shift_;
  for (uint32_t iteration = 0; iteration < iterations; ++iteration) {
    size_t size = 0;
    for (const uint32_t lane : warp) {
      if (!is_one_access && lane % iterations != iteration) continue;
      const int64_t at = index[lane].integer;
      if (at >= 0 && at < elements) indices[size++] = at;
    }
    if (size > 0) count_group(buffer, std::span(indices).first(size), is_load);
  }
}

// Whether neighboring lanes of each thread are at consecutive elements, or all at the same one.
bool Memory::is_wide(Lanes warp, Column index) const {
  bool is_run = true, is_same = true;
  for (size_t i = 1; i < warp.size(); ++i) {
    if (warp[i] >> thread_shift_ != warp[i - 1] >> thread_shift_) continue;
    const int64_t step = index[warp[i]].integer - index[warp[i - 1]].integer;
    is_run &= step == warp[i] - warp[i - 1];
    is_same &= step == 0;
  }
  return is_run || is_same;
}

void Memory::count_group(size_t buffer, std::span<int64_t> indices, bool is_load) {
  const Region& region = regions_[buffer];
  const auto requested = static_cast<int64_t>(indices.size());
  if (!std::ranges::is_sorted(indices)) std::ranges::sort(indices);
  const auto repeats = std::ranges::unique(indices);
  const auto distinct = indices.first(indices.size() - repeats.size());

  const int64_t line = options_.line_bytes;
  const auto line_of = [&](int64_t index) { return index * region.element_bytes / line; };
  int64_t sectors = 1;
  for (size_t i = 1; i < distinct.size(); ++i) {
    if (line_of(distinct[i]) != line_of(distinct[i - 1])) ++sectors;
  }
  const int64_t distinct_bytes = static_cast<int64_t>(distinct.size()) * region.element_bytes;
  const auto add = [&](Traffic& traffic) {
    traffic.accesses += 1;
    traffic.sectors += sectors;
    traffic.ideal_sectors += (distinct_bytes + line - 1) / line;
    traffic.elements += requested;
    traffic.bytes += requested * region.element_bytes;
  };
  BufferCounts& own = counts_.buffers[buffer];
  add(is_load ? own.loads : own.stores);
  if (region.space == Space::global) return add(is_load ? counts_.loads : counts_.stores);
  add(is_load ? counts_.shared_loads : counts_.shared_stores);
  add_conflicts(buffer, distinct);
}

// Elements of 8 bytes are served by half warps, which is no conflict: each half fills the banks.
void Memory::add_conflicts(size_t buffer, std::span<const int64_t> distinct) {
  const int64_t bytes = regions_[buffer].element_bytes;
  const auto at_once = static_cast<size_t>(kBanks * kBankBytes / std::max(bytes, kBankBytes));
  int64_t passes = 0;
  for (size_t begin = 0; begin < distinct.size(); begin += at_once) {
    const auto part = distinct.subspan(begin, std::min(at_once, distinct.size() - begin));
    std::array<int64_t, kBanks> words{};
    int64_t latest = kNone;
    for (const int64_t index : part) {
      const int64_t word = index * bytes / kBankBytes;
      if (word != latest) ++words[static_cast<size_t>(word % kBanks)];
      latest = word;
    }
    passes += *std::ranges::max_element(words) - 1;
  }
  counts_.buffers[buffer].bank_conflicts += passes;
  counts_.bank_conflicts += passes;
}

}  // namespace ridge::loop

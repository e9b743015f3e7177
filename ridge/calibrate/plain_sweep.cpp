#include "ridge/calibrate/plain_sweep.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "ridge/core/device_copy.h"

namespace ridge::calibrate {
namespace {

constexpr int64_t kVectorBytes = 16;
constexpr size_t kMostArrays = 8;
constexpr int kMostShare = 8;
constexpr int64_t kSmallPart = 16;  // of the largest array: below it an array does not count
constexpr size_t kFinalists = 5;

std::vector<int64_t> large_of(const std::vector<int64_t>& sizes, int64_t largest) {
  std::vector<int64_t> kept;
  std::ranges::copy_if(sizes, std::back_inserter(kept),
                       [&](int64_t bytes) { return bytes >= largest / kSmallPart; });
  return kept;
}

std::vector<SweepSteps::Array> arrays_of(const std::vector<int64_t>& sizes, int64_t smallest) {
  std::vector<SweepSteps::Array> arrays;
  for (const int64_t bytes : sizes) {
    const int64_t share = (bytes + smallest / 2) / smallest;
    arrays.push_back({std::max<int64_t>(1, bytes / kVectorBytes),
                      static_cast<int>(std::min<int64_t>(share, kMostShare))});
  }
  return arrays;
}

int total(const std::vector<SweepSteps::Array>& arrays) {
  int sum = 0;
  for (const SweepSteps::Array& array : arrays) sum += array.share;
  return sum;
}

std::string shares_text(const std::vector<SweepSteps::Array>& arrays) {
  std::vector<int> shares;
  for (const SweepSteps::Array& array : arrays) shares.push_back(array.share);
  return shares.empty() ? "1" : join(shares, ",");
}

}  // namespace

int64_t TouchedArrays::bytes() const {
  return std::reduce(read.begin(), read.end()) + std::reduce(written.begin(), written.end());
}

std::vector<SweepVariant> sweep_variants() {
  std::vector<SweepVariant> variants;
  for (const int vectors : {1, 2, 4, 8}) {
    for (const int threads : {128, 256, 512, 1024}) {
      for (const bool has_hints : {false, true}) variants.push_back({vectors, threads, has_hints});
    }
  }
  return variants;
}

TouchedArrays TouchedArrays::counted() const {
  const int64_t most = largest();
  return {large_of(read, most), large_of(written, most)};
}

int64_t TouchedArrays::largest() const {
  int64_t result = 0;
  for (const auto* list : {&read, &written}) {
    for (const int64_t bytes : *list) result = std::max(result, bytes);
  }
  return result;
}

SweepSteps sweep_steps(const TouchedArrays& arrays) {
  const auto [read, written] = arrays.counted();
  const int64_t largest = arrays.largest();
  RIDGE_CHECK(
      largest >= kVectorBytes && read.size() <= kMostArrays && written.size() <= kMostArrays,
      .code = ErrorCode::value, .op = "plain sweep",
      .expected = "1 to 8 arrays of each kind, of 16 bytes or more",
      .given = concat(read.size(), " read, ", written.size(), " written"));
  int64_t smallest = largest;
  for (const auto* list : {&read, &written}) {
    for (const int64_t bytes : *list) smallest = std::min(smallest, bytes);
  }
  SweepSteps steps{.read = arrays_of(read, smallest), .written = arrays_of(written, smallest)};
  for (const auto* list : {&steps.read, &steps.written}) {
    for (const SweepSteps::Array& array : *list) {
      steps.count = std::max(steps.count, (array.vectors + array.share - 1) / array.share);
    }
  }
  return steps;
}

std::vector<std::string> sweep_definitions(const SweepSteps& steps, const SweepVariant& variant) {
  return {concat("-DREADS=", steps.read.size()),
          concat("-DWRITES=", steps.written.size()),
          concat("-DREAD_SHARES=", shares_text(steps.read)),
          concat("-DWRITE_SHARES=", shares_text(steps.written)),
          concat("-DREAD_VECTORS=", std::max(1, total(steps.read))),
          concat("-DVECTORS=", variant.vectors),
          concat("-DHINTS=", variant.has_hints ? 1 : 0)};
}

PlainSweep::PlainSweep(CudaTimer& timer)
    : timer_(timer), kernels_(timer.device().index, "plain_sweep.cu"), random_(timer.device()) {}

struct PlainSweep::Memory {
  std::vector<Tensor> tensors;
  struct Arrays {  // as the kernel takes them
    const void* read[kMostArrays] = {};
    void* written[kMostArrays] = {};
    uint64_t read_count[kMostArrays] = {};
    uint64_t written_count[kMostArrays] = {};
  } arrays;
  void* sums = nullptr;
};

PlainSweep::Memory PlainSweep::make_memory(const SweepSteps& steps) {
  Memory memory;
  const auto make = [&](const SweepSteps::Array& array) {
    memory.tensors.push_back(random_.bytes(array.vectors * kVectorBytes));
    return device_address(memory.tensors.back());
  };
  for (size_t i = 0; i < steps.read.size(); ++i) {
    memory.arrays.read[i] = make(steps.read[i]);
    memory.arrays.read_count[i] = static_cast<uint64_t>(steps.read[i].vectors);
  }
  for (size_t i = 0; i < steps.written.size(); ++i) {
    memory.arrays.written[i] = make(steps.written[i]);
    memory.arrays.written_count[i] = static_cast<uint64_t>(steps.written[i].vectors);
  }
  // One for each of the most blocks there can be.
  memory.tensors.push_back(Tensor::empty({4 * (steps.count / 128 + 1)}, u8, timer_.device()));
  memory.sums = device_address(memory.tensors.back());
  return memory;
}

// Empty where a block cannot have as many threads.
std::function<void()> PlainSweep::runner(const Memory& memory, const SweepSteps& steps,
                                         const SweepVariant& variant) {
  const auto kernel = kernels_.find("plain_sweep", sweep_definitions(steps, variant));
  if (kernel.attributes().max_threads_per_block < variant.threads) return {};
  const int64_t step = variant.vectors * variant.threads;
  const runtime::cuda::Launch shape{
      .grid = {static_cast<uint32_t>((steps.count + step - 1) / step)},
      .block = {static_cast<uint32_t>(variant.threads)},
      .stream = timer_.stream()};
  return [kernel, shape, arrays = memory.arrays, sums = memory.sums] {
    const void* arguments[] = {&arrays, &sums};
    kernel.launch(shape, arguments);
  };
}

Measured PlainSweep::time(const TouchedArrays& arrays, const SweepVariant& variant,
                          const TimerOptions& options) {
  const SweepSteps steps = sweep_steps(arrays);
  const Memory memory = make_memory(steps);
  return timer_.time(runner(memory, steps, variant), options);
}

SweepBest PlainSweep::fastest(const TouchedArrays& arrays) {
  const TouchedArrays counted = arrays.counted();
  if (const auto found = known_.find(counted); found != known_.end()) return found->second;
  const SweepSteps steps = sweep_steps(counted);
  const Memory memory = make_memory(steps);
  std::vector<std::pair<double, SweepVariant>> tried;
  for (const SweepVariant& variant : sweep_variants()) {
    const std::function<void()> run = runner(memory, steps, variant);
    if (!run) continue;
    tried.emplace_back(timer_.time(run, {.least = 5, .most = 20, .seconds = 0.01}).median, variant);
  }
  std::ranges::sort(tried, {}, &std::pair<double, SweepVariant>::first);
  SweepBest best{.seconds = HUGE_VAL};
  for (size_t i = 0; i < std::min(tried.size(), kFinalists); ++i) {
    const SweepVariant& variant = tried[i].second;
    const Measured again = timer_.time(runner(memory, steps, variant), {.seconds = 0.1});
    if (again.median < best.seconds) best = {again.median, again.spread, variant};
  }
  return known_[counted] = best;
}

}  // namespace ridge::calibrate

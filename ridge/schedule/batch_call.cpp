#include "ridge/schedule/batch_call.h"

#include <algorithm>
#include <span>

#include "ridge/base/text.h"
#include "ridge/cost/price.h"
#include "ridge/schedule/kernel_text.h"

namespace ridge::schedule {
namespace {

// Of a launch on a GPU; a pointer for each buffer, and for each entry its count and first block.
constexpr size_t kMostArgumentBytes = 32764;

size_t most_entries(const loop::Kernel& kernel) {
  const size_t entry = sizeof(void*) * kernel.argument_count() + 2 * sizeof(int32_t);
  return (kMostArgumentBytes - entry) / entry;
}

}  // namespace

void BatchJoiner::add(KernelCall call, int32_t batch, const LoopInput& input) {
  if (batch != batch_) close();
  batch_ = batch;
  std::optional<BatchMap> map;
  if (batch >= 0) map = batch_map(input);
  // Memory was planned again since the batch was formed: what is in place may have changed.
  const std::string text = map ? canonical_text(map->kernel) : "";
  if (parts_.empty()) text_ = text;
  if (map && text == text_) {
    parts_.push_back({std::move(call), std::move(*map)});
  } else {
    calls_.push_back(std::move(call));
  }
}

std::vector<KernelCall> BatchJoiner::finish() {
  close();
  return std::move(calls_);
}

void BatchJoiner::close() {
  std::span<Part> left(parts_);
  while (!left.empty()) {
    const size_t count = std::min(left.size(), most_entries(left.front().map.kernel));
    calls_.push_back(count == 1 ? std::move(left.front().call) : join(left.first(count)));
    left = left.subspan(count);
  }
  parts_.clear();
}

KernelCall BatchJoiner::join(std::span<Part> parts) const {
  KernelCall joined = parts.front().call;
  joined.kernel = std::move(parts.front().map.kernel);
  // The ops and lines of one of them: the others repeat them.
  describe(joined, graph_);
  joined.buffers.clear();
  joined.nodes.clear();
  joined.checks.clear();
  joined.bytes = joined.flops = 0;
  int64_t total = 0;
  double apart_us = 0;
  for (Part& part : parts) {
    joined.entries.push_back({std::move(part.map.buffers), part.map.count});
    joined.nodes.insert(joined.nodes.end(), part.call.nodes.begin(), part.call.nodes.end());
    joined.checks.insert(joined.checks.end(), part.call.checks.begin(), part.call.checks.end());
    joined.bytes = joined.bytes + part.call.bytes;
    joined.flops = joined.flops + part.call.flops;
    total += part.map.count;
    apart_us += predicted_us(part.call.kernel, {});
  }
  std::ranges::sort(joined.nodes);
  joined.sizes = {Expr(total)};
  joined.kernel.notes.push_back(
      concat(parts.size(), " tensors in one launch, of ", total, " elements together"));
  const int64_t sizes[] = {total};
  joined.decisions = {Decision::yes(concat("one launch for ", parts.size(), " equal maps"))
                          .priced(predicted_us(joined.kernel, sizes), apart_us)};
  return joined;
}

double BatchJoiner::predicted_us(const loop::Kernel& kernel, std::span<const int64_t> sizes) const {
  return 1e6 * cost::price(cost::nest_of(kernel, sizes), sheet_, {.resident = resident_}).predicted;
}

}  // namespace ridge::schedule

#include "ridge/schedule/batch_call.h"

#include <algorithm>
#include <span>

#include "ridge/base/text.h"
#include "ridge/cost/price.h"
#include "ridge/schedule/kernel_text.h"

namespace ridge::schedule {
namespace {

// Of a launch on a GPU; a pointer for each buffer, and for each entry its count and first block.
constexpr size_t kMaxArgumentBytes = 32764;

size_t most_entries(const loop::Kernel& kernel) {
  const size_t entry = sizeof(void*) * kernel.argument_count() + 2 * sizeof(int32_t);
  return (kMaxArgumentBytes - entry) / entry;
}

}  // namespace

void BatchJoiner::add(KernelCall call) {
  close();
  calls_.push_back(std::move(call));
}

void BatchJoiner::add_entry(KernelCall call, BatchMap map, int32_t batch) {
  if (batch != batch_) close();
  batch_ = batch;
  if (parts_.empty()) {
    kernel_ = target_ == Target::gpu ? gpu_batch_kernel(map.point) : cpu_batch_kernel(map.point);
  }
  parts_.push_back({std::move(call), std::move(map)});
}

std::vector<KernelCall> BatchJoiner::finish() {
  close();
  return std::move(calls_);
}

void BatchJoiner::close() {
  std::span<Part> left(parts_);
  if (left.empty()) return;
  const size_t most = target_ == Target::gpu ? most_entries(kernel_) : left.size();
  const size_t calls = divided_up(left.size(), most);
  const size_t each = divided_up(left.size(), calls);
  while (!left.empty()) {
    const size_t count = std::min(left.size(), each);
    calls_.push_back(join(left.first(count)));
    left = left.subspan(count);
  }
  parts_.clear();
  batch_ = -1;
}

KernelCall BatchJoiner::join(std::span<Part> parts) const {
  KernelCall joined = parts.front().call;
  joined.kernel = kernel_;
  // The ops and lines of one of them: the others repeat them.
  describe(joined, graph_);
  joined.nodes.clear();
  joined.stored.clear();
  joined.checks.clear();
  joined.bytes = joined.flops = 0;
  int64_t total = 0;
  double apart_us = 0;
  for (Part& part : parts) {
    const KernelCall& call = part.call;
    joined.entries.push_back({std::move(part.map.buffers), part.map.count});
    joined.nodes.insert(joined.nodes.end(), call.nodes.begin(), call.nodes.end());
    joined.checks.insert(joined.checks.end(), call.checks.begin(), call.checks.end());
    joined.stored.insert(joined.stored.end(), call.stored.begin(), call.stored.end());
    joined.bytes = joined.bytes + call.bytes;
    joined.flops = joined.flops + call.flops;
    total += part.map.count;
    apart_us += predicted_us(kernel_, part.map.count);
  }
  std::ranges::sort(joined.nodes);
  joined.sizes = {Expr(total)};
  joined.kernel.notes.push_back(
      concat(parts.size(), " tensors in one launch, of ", total, " elements together"));
  joined.decisions = {Decision::yes(concat("one launch for ", parts.size(), " equal maps"))
                          .priced(predicted_us(kernel_, total), apart_us)};
  return joined;
}

double BatchJoiner::predicted_us(const loop::Kernel& kernel, int64_t count) const {
  const cost::KernelNest nest = cost::nest_of(kernel, std::span(&count, 1));
  return 1e6 * cost::price(nest, sheet_, {.resident = resident_}).predicted;
}

}  // namespace ridge::schedule

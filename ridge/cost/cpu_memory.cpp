#include "ridge/cost/cpu_memory.h"

#include <cmath>
#include <numeric>

#include "ridge/base/text.h"
#include "ridge/cost/tuning.h"

namespace ridge::cost {

using namespace tuning;

double best_rate(const Sheet& sheet, const std::string& level) {
  double most = sheet.need(level + ".read", "a floor");
  for (const char* way : {".write", ".copy", ".peak"}) {
    most = std::max(most, sheet.value(level + way).value_or(0));
  }
  return most;
}

double ThreadRates::of(const std::string& key) const {
  const double all = sheet_.need(key, "a price");
  return std::min(sheet_.value(key + ".one").value_or(all), all / threads_);
}

double ThreadRates::best(const std::string& level) const {
  double most = of(level + ".read");
  for (const char* way : {".write", ".copy"}) {
    if (has(level + way)) most = std::max(most, of(level + way));
  }
  return most;
}

CpuMemory::CpuMemory(const KernelNest& nest, const Sheet& sheet, const ThreadRates& rates,
                     double threads, double resident)
    : sheet_(sheet), rates_(rates), line_(sheet.need("line", "a price")) {
  const auto past = [&](double capacity, double there, double way, double line) {
    return miss_bytes(nest, {.capacity = capacity, .line = line, .way = way, .resident = there});
  };
  const double l1 = kUsableCache * sheet.need("l1.bytes", "a price");
  const double l2 = kUsableCache * sheet.need("l2.bytes", "a price");
  const auto usable = sheet.value("l3.usable");
  const double l3 = usable ? *usable : kUsableCache * sheet.need("l3.bytes", "a price");
  l1_miss_bytes_ = past(l1, resident / threads, kL1SetStrideBytes, line_);
  l2_miss_bytes_ = past(l2, resident / threads, kL2SetStrideBytes, line_);
  past_l3_ = past(l3, resident, 0, line_);
  past_tlb_ = past(sheet.need("tlb.bytes", "a price"), resident / threads, 0, kPage);
}

double CpuMemory::transaction_bytes() const {
  return std::accumulate(l1_miss_bytes_.begin(), l1_miss_bytes_.end(), 0.0);
}
double CpuMemory::moved_bytes() const {
  return std::accumulate(past_l3_.begin(), past_l3_.end(), 0.0);
}

void CpuMemory::add(Flow& flow, const MemoryAccess& access, double executions, int vector_axis) {
  const double l1 = l1_miss_bytes_[next_], l2 = l2_miss_bytes_[next_], l3 = past_l3_[next_];
  const double in_pages = past_tlb_[next_] - executions * access.element_bytes;
  ++next_;
  int64_t stride = 0;
  bool is_random = false;
  for (const AxisStep& step : access.steps) {
    if (step.axis != vector_axis) continue;
    stride = step.stride;
    is_random = step.is_random;
  }
  const bool is_lookup = stride > 1 || is_random;
  // Going through whole pages in order hides this, and lookups in memory have paid for theirs.
  const double pages = in_pages / kPage - (is_lookup ? l3 / line_ : 0);
  flow.translation += std::max(0.0, pages) * sheet_.need("tlb", "a price");
  if (is_lookup) {
    flow.lookups += lookup_seconds(executions, l1, l2, l3);
    return;
  }
  const bool is_kept = stride == 0 && vector_axis >= 0;  // in a register, along the lanes
  const double issued = is_kept ? 0 : std::max(0.0, executions * access.element_bytes - l1);
  double* bytes = access.is_store ? flow.written : flow.read;
  bytes[0] += issued;
  bytes[1] += l1 - l2;
  bytes[2] += l2 - l3;
  bytes[3] += l3;
  flow.streams += l3 > 0 ? 1 : 0;
}

// Elements one by one, each from the level where its line is.
double CpuMemory::lookup_seconds(double elements, double l1, double l2, double l3) const {
  const double by_l1 = 1 / rates_.of("gather.l1"), by_l2 = 1 / rates_.of("gather.l2");
  const double by_l3 = 1 / rates_.of("gather.l3"), by_dram = 1 / rates_.of("gather.dram");
  return elements * by_l1 + l1 / line_ * std::max(0.0, by_l2 - by_l1) +
         l2 / line_ * std::max(0.0, by_l3 - by_l2) + l3 / line_ * std::max(0.0, by_dram - by_l3);
}

// Reading and writing side by side is quicker than one after the other.
double CpuMemory::level_seconds(const std::string& level, double read, double written) const {
  if (read + written <= 0) return 0;
  const double both = std::min(read, written);
  double seconds = 0;
  if (both > 0) seconds += 2 * both / rates_.of(level + ".copy");
  if (read > both) seconds += (read - both) / rates_.of(level + ".read");
  if (written > both) seconds += (written - both) / rates_.of(level + ".write");
  return seconds;
}

double CpuMemory::dram_seconds(const Flow& flow, ResourceTimes& times) const {
  const double read = flow.read[3], written = flow.written[3];
  if (read + written <= 0) return 0;
  const double best = rates_.of("dram.read");
  const double alone = rates_.has("dram.stream") ? rates_.of("dram.stream") : best;
  const double share = std::clamp(std::log2(flow.streams) / std::log2(kManyStreams), 0.0, 1.0);
  const double reached = alone + (best - alone) * share;
  const double seconds = std::max((read + written) / reached, written / rates_.of("dram.write"));
  times[Resource::dram_read] += seconds * read / (read + written);
  times[Resource::dram_write] += seconds * written / (read + written);
  return seconds;
}

double CpuMemory::seconds(const Flow& flow, ResourceTimes& times) const {
  constexpr const char* kLevels[] = {"l1", "l2", "l3"};
  constexpr Resource kResources[] = {Resource::l1, Resource::l2, Resource::l3};
  times[Resource::translation] += flow.translation;
  times[Resource::lookup] += flow.lookups;
  double sum = flow.lookups + flow.translation + dram_seconds(flow, times);
  for (size_t i = 0; i < 3; ++i) {
    const double seconds = level_seconds(kLevels[i], flow.read[i], flow.written[i]);
    times[kResources[i]] += seconds;
    sum += seconds;
  }
  return sum;
}

}  // namespace ridge::cost

// How much of what is shared, or of what no one publishes, is there for one program.
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "ridge/calibrate/cpu_probes.h"
#include "ridge/calibrate/cpu_shape.h"
#include "ridge/calibrate/footprint.h"
#include "ridge/calibrate/probe_kernel.h"

namespace ridge::calibrate {
namespace {

constexpr int64_t kFloatsOfPage = 1024;
// Lines of neighboring pages lie in different sets of the cache.
constexpr int64_t kPageStep = kFloatsOfPage + 16;
constexpr int64_t kMostPages = 8192;
constexpr int64_t kFewPages = 512;  // that any TLB has
constexpr double kStepLeniency = 3;
// How often a cache is measured, of which the middle counts, and each rate, of which the best does: a
// thread that was interrupted says nothing of a cache.
constexpr int kShapeRounds = 5, kRateRounds = 3;

struct CapacityBench {
  explicit CapacityBench(const CpuShape& given)
      : shape(given),
        tasks(capacity_tasks(given)),
        floats(std::max<size_t>(static_cast<size_t>(3 * given.l3 / 4),
                                static_cast<size_t>(kMostPages * kPageStep))),
        x(ProbeMemory::of_random(floats)),
        out(ProbeMemory::of_random(floats)),
        pages(static_cast<size_t>(kMostPages) * sizeof(int64_t)) {
    auto* starts = static_cast<int64_t*>(pages.data());
    for (int64_t i = 0; i < kMostPages; ++i) starts[i] = i * kPageStep;
  }

  // Bytes a second of copying between two arrays of `bytes` together.
  double copy_rate(double bytes) const {
    const auto n = static_cast<int64_t>(bytes / 8 / static_cast<double>(tasks));
    const int64_t repeats = std::max<int64_t>(1, std::llround(64e6 / bytes));
    const double seconds = copy.time({x.data(), out.data()}, {n, repeats, tasks});
    return static_cast<double>(8 * n * repeats * tasks) / seconds;
  }

  // Seconds of one element of each of so many pages.
  double page_seconds(int64_t count) const {
    const int64_t repeats = 100000 / count + 1;
    const double seconds = gather.time({pages.data(), x.data(), out.data()},
                                       {count, repeats, 1, static_cast<int64_t>(floats)});
    return seconds / static_cast<double>(count * repeats);
  }

  double usable_l3() const {
    const double beyond_own = std::max(6 * shape.l2, 2 * shape.l2 * static_cast<double>(tasks));
    const double cached = copy_rate(beyond_own), not_cached = copy_rate(3 * shape.l3);
    const double between = std::sqrt(cached * not_cached);
    double usable = 4 * shape.l2;
    for (double bytes = shape.l3 / 4; bytes <= shape.l3; bytes += shape.l3 / 8) {
      if (copy_rate(bytes) < between) break;
      usable = bytes;
    }
    return usable;
  }

  // Up to the first size at which pages take clearly longer.
  double translated_bytes() const {
    const double hit = page_seconds(kFewPages);
    int64_t count = kFewPages;
    for (int64_t more = 2 * kFewPages; more < kMostPages; more += kFewPages) {
      if (page_seconds(more) > 2 * hit) break;
      count = more;
    }
    return static_cast<double>(count * kFloatsOfPage * 4);
  }

  CpuShape shape;
  int64_t tasks;
  size_t floats;
  ProbeKernel copy{kCopyKernel}, gather{kGatherKernel};
  ProbeMemory x, out, pages;
};

// Copies by one thread, of arrays that may be larger than the system says any cache is.
class CacheSizes {
 public:
  explicit CacheSizes(const CpuShape& said)
      : said_(said),
        most_(3 * said.l3),
        x_(ProbeMemory::of_random(static_cast<size_t>(most_ / 8))),
        out_(ProbeMemory::of_random(static_cast<size_t>(most_ / 8))) {}

  double l2() const { return found(2 * said_.l1, std::min(8 * said_.l2, said_.l3 / 2), said_.l2); }
  double l3(double l2) const { return found(3 * l2, most_, said_.l3); }

 private:
  double rate(double bytes) const {
    const auto n = static_cast<int64_t>(bytes / 8);
    const int64_t repeats = std::max<int64_t>(1, std::llround(32e6 / bytes));
    double seconds = std::numeric_limits<double>::infinity();
    for (int i = 0; i < kRateRounds; ++i) {
      seconds = std::min(seconds, copy_.time({x_.data(), out_.data()}, {n, repeats, 1}));
    }
    return static_cast<double>(8 * n * repeats) / seconds;
  }
  double found(double least, double most, double said) const {
    if (most <= 2 * least) return said;
    std::vector<double> sizes;
    for (int i = 0; i < kShapeRounds; ++i) {
      sizes.push_back(capacity_of([this](double bytes) { return rate(bytes); }, least, most));
    }
    return checked_bytes(said, summarize("", cost::Unit::bytes, sizes).median);
  }

  CpuShape said_;
  double most_;
  ProbeKernel copy_{kCopyKernel};
  ProbeMemory x_, out_;
};

}  // namespace

CpuShape checked_shape(const CpuShape& said) {
  const CacheSizes sizes(said);
  CpuShape shape = said;
  shape.l2 = sizes.l2();
  shape.l3 = sizes.l3(shape.l2);
  return shape;
}

void add_capacity_probes(std::vector<Probe>& probes, const CpuShape& shape) {
  const auto bench = std::make_shared<CapacityBench>(shape);
  // Both go in steps: rounds that differ by one step are no sign of a busy machine.
  probes.push_back(
      {"l3.usable", cost::Unit::bytes, [=] { return bench->usable_l3(); }, kStepLeniency});
  probes.push_back(
      {"tlb.bytes", cost::Unit::bytes, [=] { return bench->translated_bytes(); }, kStepLeniency});
  probes.push_back({"tlb", cost::Unit::seconds, [=] {
                      return bench->page_seconds(kMostPages) - bench->page_seconds(kFewPages);
                    }});
}

}  // namespace ridge::calibrate

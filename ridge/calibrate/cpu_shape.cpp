#include "ridge/calibrate/cpu_shape.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <set>

#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "ridge/codegen/llvm/generate.h"
#include "ridge/runtime/cpu/thread_pool.h"

namespace ridge::calibrate {
namespace {

double cache_figure(int name, std::string_view what) {
  const long value = sysconf(name);
  RIDGE_CHECK(value > 0, .code = ErrorCode::device, .op = "calibrate",
              .expected = concat("a system that knows the ", what), .given = "no answer");
  return static_cast<double>(value);
}

}  // namespace

CpuShape this_cpu_shape() {
  CpuShape shape;
  shape.threads = runtime::thread_count();
  const int cores = core_count("/sys/devices/system/cpu", usable_processors());
  shape.cores = std::clamp(cores, 1, shape.threads);
  shape.lanes = codegen::host_target().vector_bytes / 4;
  shape.line = cache_figure(_SC_LEVEL1_DCACHE_LINESIZE, "length of a cache line");
  shape.l1 = cache_figure(_SC_LEVEL1_DCACHE_SIZE, "size of the first-level cache");
  shape.l2 = cache_figure(_SC_LEVEL2_CACHE_SIZE, "size of the second-level cache");
  shape.l3 = cache_figure(_SC_LEVEL3_CACHE_SIZE, "size of the third-level cache");
  // The C library asks the processor, which may answer for all sockets; the kernel lists each cache.
  const double listed = shared_cache_bytes("/sys/devices/system/cpu", usable_processors(), 3);
  if (listed > 0) shape.l3 = std::min(shape.l3, listed);
  return shape;
}

std::vector<int> usable_processors() {
  std::vector<int> processors;
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return processors;
  for (int i = 0; i < CPU_SETSIZE; ++i) {
    if (CPU_ISSET(i, &allowed)) processors.push_back(i);
  }
  return processors;
}

int core_count(const std::string& folder, const std::vector<int>& processors) {
  std::set<std::string> cores;
  for (const int processor : processors) {
    std::ifstream file(concat(folder, "/cpu", processor, "/topology/thread_siblings_list"));
    std::string siblings;
    if (!std::getline(file, siblings)) siblings = concat("processor ", processor);
    cores.insert(siblings);
  }
  return static_cast<int>(cores.size());
}

double shared_cache_bytes(const std::string& folder, const std::vector<int>& processors,
                          int level) {
  std::set<std::string> caches;
  double bytes = 0;
  for (const int processor : processors) {
    // One is listed after the other, data and instructions apart; which level one is of, it says.
    for (int index = 0;; ++index) {
      const std::string place = concat(folder, "/cpu", processor, "/cache/index", index);
      int its_level = 0;
      if (!(std::ifstream(place + "/level") >> its_level)) break;
      std::string size, sharers;
      std::ifstream(place + "/size") >> size;
      std::ifstream(place + "/shared_cpu_list") >> sharers;
      if (its_level != level || !size.ends_with('K') || !caches.insert(sharers).second) continue;
      bytes += 1024 * std::strtod(size.c_str(), nullptr);
    }
  }
  return bytes;
}

namespace {

// Arrays grow by this, and then the place of the step is halved so often.
constexpr double kGrowth = 2;
constexpr int kHalvings = 3;
// A level that is not faster than the next by this cannot be told from it.
constexpr double kLeastStep = 1.25;
constexpr double kLeastShare = 0.5;

}  // namespace

double capacity_of(const std::function<double(double bytes)>& rate, double least, double most) {
  const double cached = rate(least), not_cached = rate(most);
  if (!(cached > kLeastStep * not_cached)) return most;
  const double between = std::sqrt(cached * not_cached);
  double held = least, past = most;
  for (double bytes = least * kGrowth; bytes < most; bytes *= kGrowth) {
    if (rate(bytes) < between) {
      past = bytes;
      break;
    }
    held = bytes;
  }
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = std::sqrt(held * past);
    (rate(middle) < between ? past : held) = middle;
  }
  return held;
}

double checked_bytes(double reported, double measured) {
  return measured < kLeastShare * reported ? measured : reported;
}

}  // namespace ridge::calibrate

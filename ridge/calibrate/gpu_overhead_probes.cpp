// What a kernel of a GPU takes before and beside its work.
#include "ridge/calibrate/cuda_timer.h"
#include "ridge/calibrate/gpu_probes.h"
#include "ridge/core/device_copy.h"
#include "ridge/runtime/cuda/device_properties.h"

namespace ridge::calibrate {
namespace {

using cost::Unit;
using runtime::cuda::Launch;

constexpr uint32_t kThreads = 256;

// Seconds of an empty kernel of so many blocks, after other work, as programs are timed.
double empty_seconds(GpuProbing& probing, uint32_t blocks) {
  const runtime::cuda::Kernel empty = probing.kernels.find("probe_empty");
  const void* data = device_address(probing.out);
  const void* arguments[] = {&data, &data};
  const Launch shape{.grid = {blocks}, .block = {kThreads}, .stream = probing.timer.stream()};
  return probing.timer.time([&] { empty.launch(shape, arguments); }, kEachRound).median;
}

// What a small copy takes beyond a launch and its bytes at the rate of large ones.
double start_seconds(GpuProbing& probing, const SweepVariant& variant) {
  constexpr int64_t kSmall = int64_t{1} << 24, kLarge = int64_t{1} << 28;
  const TouchedArrays small{{kSmall}, {kSmall}}, large{{kLarge}, {kLarge}};
  const double few = probing.sweep.time(small, variant, kEachRound).median;
  const double many = probing.sweep.time(large, variant, kEachRound).median;
  const double each = (many - few) / static_cast<double>(large.bytes() - small.bytes());
  return few - each * static_cast<double>(small.bytes()) - empty_seconds(probing, probing.sms);
}

// Seconds of one barrier of a kernel that makes `count` of them, with all units full.
double barrier_seconds(GpuProbing& probing, const std::string& symbol, uint32_t cluster) {
  constexpr uint32_t kBlocksPerSm = 8;
  const void* out = device_address(probing.out);
  const Launch shape{.grid = {probing.sms * kBlocksPerSm / cluster * cluster},
                     .block = {kThreads},
                     .cluster = {cluster},
                     .stream = probing.timer.stream()};
  const int few = 1024, many = 9216;
  const double less = probing.warm_seconds(symbol, shape, {&out, &few});
  const double more = probing.warm_seconds(symbol, shape, {&out, &many});
  return (more - less) / (many - few);
}

}  // namespace

void add_gpu_overhead_probes(std::vector<Probe>& probes, GpuProbing& probing) {
  constexpr uint32_t kFewBlocks = 8, kManyBlocks = 512;  // of an SM
  constexpr double kDifference = 2, kSmallDifference = 8;
  probes.push_back(
      {"launch", Unit::seconds, [&probing] { return empty_seconds(probing, probing.sms); }, 4});
  probes.push_back(
      {"launch.gap", Unit::seconds, [&probing] { return graph_node_seconds(probing.timer); }});
  const SweepVariant copy = probing.sweep.fastest({{int64_t{1} << 28}, {int64_t{1} << 28}}).variant;
  probes.push_back({"dram.start", Unit::seconds,
                    [&probing, copy] { return start_seconds(probing, copy); }, kSmallDifference});
  probes.push_back({"block", Unit::seconds,
                    [&probing] {
                      const double more = empty_seconds(probing, kManyBlocks * probing.sms);
                      const double less = empty_seconds(probing, kFewBlocks * probing.sms);
                      return (more - less) / ((kManyBlocks - kFewBlocks) * probing.sms);
                    },
                    kDifference});
  probes.push_back({"barrier", Unit::seconds,
                    [&probing] { return barrier_seconds(probing, "probe_barrier", 1); },
                    kDifference});
  const auto& properties = runtime::cuda::device_properties(probing.timer.device().index);
  if (properties.compute_major < 9) return;  // there are no clusters
  probes.push_back({"barrier.cluster", Unit::seconds,
                    [&probing] { return barrier_seconds(probing, "probe_cluster_barrier", 4); },
                    kDifference});
}

}  // namespace ridge::calibrate

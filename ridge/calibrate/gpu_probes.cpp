#include "ridge/calibrate/gpu_probes.h"

#include "ridge/core/device_copy.h"
#include "ridge/runtime/cuda/device_properties.h"

namespace ridge::calibrate {
namespace {

using cost::Unit;
using runtime::cuda::Launch;

constexpr int64_t kMemoryBytes = int64_t{1} << 30;  // of each array beyond every cache
constexpr uint32_t kMostThreads = 1024;

// Bytes a second of the variant that the sweep finds best, timed again in every round: of the bytes
// alone, without what every kernel takes, so from two sizes.
void add_sweep_probe(std::vector<Probe>& probes, GpuProbing& probing, const std::string& key,
                     const TouchedArrays& arrays, const TouchedArrays& fewer) {
  const SweepVariant best = probing.sweep.fastest(arrays).variant;
  probes.push_back({key, Unit::bytes_per_second,
                    [&probing, arrays, fewer, best] {
                      const double seconds = probing.sweep.time(arrays, best, kEachRound).median -
                                             probing.sweep.time(fewer, best, kEachRound).median;
                      return static_cast<double>(arrays.bytes() - fewer.bytes()) / seconds;
                    },
                    2});
}

// Half of what the cache holds, gone over several times in a launch.
void add_l2_probe(std::vector<Probe>& probes, GpuProbing& probing) {
  constexpr uint32_t kUnrolled = 8, kBlocksPerSm = 2;
  const int64_t cache = runtime::cuda::device_properties(probing.timer.device().index).l2_bytes;
  const uint32_t threads = probing.sms * kBlocksPerSm * kMostThreads;
  const int64_t chunk = int64_t{16} * threads * kUnrolled;
  const int64_t bytes = std::max<int64_t>(1, cache / 2 / chunk) * chunk;
  auto memory = std::make_shared<Tensor>(RandomFill(probing.timer.device()).bytes(bytes));
  probes.push_back({"l2.read", Unit::bytes_per_second, [&probing, memory, bytes] {
                      const void* data = device_address(*memory);
                      const void* out = device_address(probing.out);
                      const auto count = static_cast<uint32_t>(bytes / 16);
                      const int rounds = 16;
                      const Launch shape{.grid = {probing.sms * kBlocksPerSm},
                                         .block = {kMostThreads},
                                         .stream = probing.timer.stream()};
                      const double seconds =
                          probing.warm_seconds("probe_l2", shape, {&data, &count, &rounds, &out});
                      return static_cast<double>(bytes) * rounds / seconds;
                    }});
}

void add_shared_probe(std::vector<Probe>& probes, GpuProbing& probing) {
  probes.push_back({"shared.read", Unit::bytes_per_second, [&probing] {
                      constexpr uint32_t kBlocksPerSm = 2, kLoads = 8;
                      const void* out = device_address(probing.out);
                      const int count = 1024;
                      const Launch shape{.grid = {probing.sms * kBlocksPerSm},
                                         .block = {kMostThreads},
                                         .stream = probing.timer.stream()};
                      const double seconds =
                          probing.warm_seconds("probe_shared", shape, {&out, &count});
                      return 16.0 * kLoads * count * shape.grid.x * kMostThreads / seconds;
                    }});
}

// Seconds of a step of a chain through that much memory. Each launch goes on where the one before
// ended: what a cache holds of the lines it met does not come up again before all others. A chain that a
// cache can hold is gone through once before, since other probes have filled that meanwhile.
void add_latency_probe(std::vector<Probe>& probes, GpuProbing& probing, const std::string& key,
                       int64_t bytes) {
  const auto lines = static_cast<uint32_t>(bytes / 128);
  const bool is_cached =
      bytes <= runtime::cuda::device_properties(probing.timer.device().index).l2_bytes / 2;
  auto memory = std::make_shared<Tensor>(Tensor::empty({bytes}, u8, probing.timer.device()));
  const void* next = device_address(*memory);
  // An odd number near the golden section: far away, and through all lines where they are a power of 2.
  const auto step = static_cast<uint32_t>(0.618 * lines) | 1u;
  const void* arguments[] = {&next, &lines, &step};
  probing.kernels.find("fill_chain")
      .launch({.grid = {1024}, .block = {256}, .stream = probing.timer.stream()}, arguments);
  auto at = std::make_shared<uint64_t>(0);
  probes.push_back({key, Unit::seconds, [&probing, memory, at, lines, step, is_cached] {
                      const void* data = device_address(*memory);
                      const void* out = device_address(probing.out);
                      const int count = 4096;
                      const runtime::cuda::Kernel kernel = probing.kernels.find("probe_chain");
                      const Launch shape{.stream = probing.timer.stream()};
                      const auto follow = [&] {
                        const auto start = static_cast<uint32_t>(*at % lines * 32);
                        const void* given[] = {&data, &start, &count, &out};
                        kernel.launch(shape, given);
                        *at = (*at + uint64_t{step} * count) % lines;
                      };
                      for (uint32_t met = 0; is_cached && met < lines; met += uint32_t{count})
                        follow();
                      return probing.timer.time(follow, kEachRoundWarm).median / count;
                    }});
}

// `per_step`: flops or operations of one step of a chain.
template <class Number>
void add_chain_probe(std::vector<Probe>& probes, GpuProbing& probing, const std::string& key,
                     const std::string& symbol, Unit unit, double per_step, Number a, Number b) {
  probes.push_back({key, unit, [&probing, symbol, per_step, a, b] {
                      constexpr int kChains = 8, kBlocksPerSm = 2;  // chains as in cuda_probes.cu
                      const void* out = device_address(probing.out);
                      const int count = 4096;
                      const Launch shape{.grid = {probing.sms * kBlocksPerSm},
                                         .block = {kMostThreads},
                                         .stream = probing.timer.stream()};
                      const double seconds =
                          probing.warm_seconds(symbol, shape, {&out, &count, &a, &b});
                      return per_step * kChains * count * shape.grid.x * kMostThreads / seconds;
                    }});
}

}  // namespace

GpuProbing::GpuProbing(int device)
    : timer(device),
      sweep(timer),
      kernels(device, "cuda_probes.cu"),
      sms(static_cast<uint32_t>(runtime::cuda::device_properties(device).multiprocessors)),
      out(Tensor::empty({64}, u8, timer.device())) {}

double GpuProbing::warm_seconds(const std::string& symbol, const Launch& shape,
                                const std::vector<const void*>& arguments) {
  const runtime::cuda::Kernel kernel = kernels.find(symbol);
  return timer.time([&] { kernel.launch(shape, arguments); }, kEachRoundWarm).median;
}

void add_gpu_memory_probes(std::vector<Probe>& probes, GpuProbing& probing) {
  const int64_t many = kMemoryBytes, few = kMemoryBytes / 4;
  add_sweep_probe(probes, probing, "dram.read", {{many}, {}}, {{few}, {}});
  add_sweep_probe(probes, probing, "dram.write", {{}, {many}}, {{}, {few}});
  add_sweep_probe(probes, probing, "dram.copy", {{many}, {many}}, {{few}, {few}});
  add_l2_probe(probes, probing);
  add_shared_probe(probes, probing);
  add_latency_probe(probes, probing, "dram.latency", kMemoryBytes / 2);
  add_latency_probe(probes, probing, "l2.latency", int64_t{1} << 23);
}

void add_gpu_arithmetic_probes(std::vector<Probe>& probes, GpuProbing& probing) {
  const Unit flops = Unit::flops_per_second;
  add_chain_probe(probes, probing, "vector.f32.fma", "probe_f32_fma", flops, 2, 0.999f, 0.001f);
  add_chain_probe(probes, probing, "vector.f32", "probe_f32", flops, 1, 0.999f, 0.001f);
  add_chain_probe(probes, probing, "vector.f64.fma", "probe_f64_fma", flops, 2, 0.999, 0.001);
  add_chain_probe(probes, probing, "vector.f64", "probe_f64", flops, 1, 0.999, 0.001);
  add_chain_probe(probes, probing, "special.f32", "probe_special", Unit::ops_per_second, 1, 0.5f,
                  0.0f);
}

}  // namespace ridge::calibrate

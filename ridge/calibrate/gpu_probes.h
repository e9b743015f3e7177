// The probes of a GPU: kernels of ridge/calibrate/cuda_probes.cu, the plain sweep, the library.
#pragma once

#include <memory>

#include "ridge/calibrate/cuda_kernels.h"
#include "ridge/calibrate/plain_sweep.h"
#include "ridge/calibrate/probe.h"

namespace ridge::calibrate {

inline constexpr TimerOptions kEachRound{.least = 5, .most = 20, .seconds = 0.02};
inline constexpr TimerOptions kEachRoundWarm{
    .least = 5, .most = 20, .seconds = 0.02, .is_cold = false};

// What probes of one GPU share; it must outlive them.
struct GpuProbing {
  explicit GpuProbing(int device);

  // Seconds of one launch with the data as the one before left it.
  double warm_seconds(const std::string& symbol, const runtime::cuda::Launch& shape,
                      const std::vector<const void*>& arguments);

  CudaTimer timer;
  PlainSweep sweep;
  CudaKernels kernels;
  uint32_t sms;
  Tensor out;  // results that nobody reads
};

// Bandwidth of memory, of the cache that all share and of shared memory; latencies.
void add_gpu_memory_probes(std::vector<Probe>& probes, GpuProbing& probing);
// Rates of vector units, with FMA and without, and of special functions.
void add_gpu_arithmetic_probes(std::vector<Probe>& probes, GpuProbing& probing);
// A launch, a node of a graph, the start of a block and of memory, barriers.
void add_gpu_overhead_probes(std::vector<Probe>& probes, GpuProbing& probing);
// Products by cuBLASLt, where there is one.
void add_gpu_library_probes(std::vector<Probe>& probes, GpuProbing& probing);

}  // namespace ridge::calibrate

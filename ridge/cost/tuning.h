// Numbers of the cost model that no device sheet has.
//
// "Guess" means that no bench derives it. The others were counted in generated code or fitted to
// `ridge bench cpu.*` (docs/bench/cost_model.md) on the machine named: "VM" is a 2-core Xeon (Ice
// Lake) at 2.8 GHz with AVX-512, LLVM 22, 2026-11-15.
#pragma once

#include <cstdint>

#include "ridge/loop/device_limits.h"

namespace ridge::cost::tuning {

// Caches and memory of a CPU.

// Share of a cache that a kernel may count on: the rest is the stack's, the other buffers' and the
// prefetcher's. Guess.
inline constexpr double kUsableCache = 0.9;
// Bytes after which places share a set: a page in the first level, 64 KiB in the second, on x86
// server cores since 2019; third-level caches hash addresses. From vendors' documents, 2026-11-15.
inline constexpr double kL1SetStrideBytes = 4096;
inline constexpr double kL2SetStrideBytes = 65536;
// Bytes of a page, on x86 and most Arm systems.
inline constexpr double kPage = 4096;
// Arrays gone through at once at which memory is at its best; one alone has `dram.stream`. VM.
inline constexpr double kManyStreams = 4;

// Code of a CPU.

// Of the second of a sine and a cosine of one argument, the share that the first has done: the
// reduction of the argument and both polynomials. VM, bench case sin2_cos2.
inline constexpr double kSincosSaves = 0.6;
// Instructions to widen or round a 16-bit element. Counted in generated code.
inline constexpr double kConversionInstructions = 2;
// Instructions of a division of 64-bit integers, of which vector units have none. Guess.
inline constexpr double kIndexDivisionInstructions = 40;

// Columns of a product that one task may take, priced against each other. Guess.
inline constexpr int64_t kProductColumns[] = {512, 256, 128, 64};

// GPUs.

inline constexpr int kWarp = loop::kWarpSize;
// Of the SMs, that clusters occupy where a sheet has no `units.cluster`: the others are left in parts of the chip
// that have no whole cluster. Guess, from the one sheet that has it.
inline constexpr double kClusteredSmFraction = 10.0 / 11;
inline constexpr double kPhiloxWords = 4;  // of random bits, in a block
// Waves beyond which the last one is lost among the others, as blocks end at different times. Guess.
inline constexpr double kManyWaves = 8;
// Sides of a kernel run beside each other, but not quite: warps that wait for memory issue nothing, and
// those that compute ask for nothing. All of them take the norm of this order of each by itself.
// H200, 2026-11-15, bench cases cos_1 to cos_8.
inline constexpr double kSideNorm = 3;
// Registers that a thread has beside the rows it holds. Counted in generated code (tests/golden/gpu).
inline constexpr double kPlainRegisters = 32;
// Bytes that an instruction loads or stores at most. NVIDIA.
inline constexpr auto kWidestAccess = static_cast<double>(loop::kCudaLimits.vector_bytes);
// Bytes that the second-level cache gives at once: a sector of each of 32 lines takes as long as two.
// H200, 2026-11-15.
inline constexpr double kL2Granule = 64;
// Of what other work leaves in the second-level cache, the share that is yet to be written to memory.
// H200 after a fill of 256 MiB, 2026-11-15: reads of 8 to 512 MB.
inline constexpr double kUnwrittenShare = 0.5;
// Slots that a shuffle takes of a scheduler: a quarter of the lanes at a time. H200, 2026-11-15.
inline constexpr double kShuffleSlots = 4;
// Warps of a block whose values each thread reads as a list. From kernels/cuda/reduce.cuh, to which a test holds it.
inline constexpr double kListedWarps = 16;
// Clocks until a value of another lane is there. NVIDIA since Volta, published measurements.
inline constexpr double kShuffleClocks = 23;
// Iterations of a serial loop whose loads are in flight at a time. Guess.
inline constexpr double kIterationsInFlight = 4;
// Bytes that a lane passes on in one shuffle. A shuffle takes the path of shared memory.
inline constexpr double kShuffleBytes = 4;
// Instructions of a load or store with its address, where loops over them are unrolled. Counted in
// generated code.
inline constexpr double kAccessInstructions = 2;
// Instructions to widen a 16-bit element, and the share of one that rounds it: two go with one. Counted in
// generated code.
inline constexpr double kGpuConversionInstructions = 1;
inline constexpr double kRoundingShare = 0.5;
// Instructions of a division of 32-bit integers by a constant: a product and shifts. Counted in
// generated code.
inline constexpr double kGpuDivisionInstructions = 3;
// Threads of a block that computes a tile of a product, where the loops do not say. Guess.
inline constexpr double kProductThreads = 256;

}  // namespace ridge::cost::tuning

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

// Share of a cache that holds a kernel's data; the stack, other buffers and the prefetcher use the rest. Guess.
inline constexpr double kUsableCache = 0.9;
// Addresses that differ by a multiple of this share a set of the cache: 4 KiB in L1, 64 KiB in L2, on x86 server
// cores since 2019; L3 caches hash addresses. From vendors' documents, 2026-11-15.
inline constexpr double kL1SetStrideBytes = 4096;
inline constexpr double kL2SetStrideBytes = 65536;
// Bytes of a page, on x86 and most Arm systems.
inline constexpr double kPage = 4096;
// Arrays that a loop must read or write at once to reach the full bandwidth of memory; one array alone reaches
// `dram.stream`. VM.
inline constexpr double kManyStreams = 4;

// Code of a CPU.

// A sine and a cosine of one argument share the argument reduction and both polynomials: the second one costs
// 1 - kSincosSaves of its instructions. VM, bench case sin2_cos2.
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
// With more waves than this the last one costs nothing extra, as blocks end at different times. Guess.
inline constexpr double kManyWaves = 8;
// Memory, arithmetic and waits of a kernel overlap, but not fully: warps that wait for memory issue no arithmetic,
// and warps that compute issue no loads. Together they take the p-norm of their times, with this p.
// H200, 2026-11-15, bench cases cos_1 to cos_8.
inline constexpr double kSideNorm = 3;
// Registers of a thread beside those of its rows. Counted in generated code (tests/golden/gpu).
inline constexpr double kPlainRegisters = 32;
// Bytes that an instruction loads or stores at most. NVIDIA.
inline constexpr auto kWidestAccess = static_cast<double>(loop::kCudaLimits.vector_bytes);
// Bytes of one transaction of L2: one sector of a line takes as long as two.
// H200, 2026-11-15.
inline constexpr double kL2Granule = 64;
// Share of the lines that other work leaves in L2 that are dirty, and must be written back to memory.
// H200 after a fill of 256 MiB, 2026-11-15: reads of 8 to 512 MB.
inline constexpr double kUnwrittenShare = 0.5;
// Issue slots of a shuffle: it serves a quarter of the lanes at a time. H200, 2026-11-15.
inline constexpr double kShuffleSlots = 4;
// Up to so many warps, each thread of a block reduction reads all partial results itself. From
// kernels/cuda/reduce.cuh, to which a test holds it.
inline constexpr double kListedWarps = 16;
// Latency of a shuffle, in clocks. NVIDIA since Volta, published measurements.
inline constexpr double kShuffleClocks = 23;
// Iterations of a serial loop whose loads are in flight at a time. Guess.
inline constexpr double kIterationsInFlight = 4;
// Bytes of a lane in one shuffle, which uses the datapath of shared memory.
inline constexpr double kShuffleBytes = 4;
// Instructions of a load or store with its address, where loops over them are unrolled. Counted in
// generated code.
inline constexpr double kAccessInstructions = 2;
// Instructions to widen a 16-bit element, and to round it: one instruction rounds two. Counted in generated code.
inline constexpr double kGpuConversionInstructions = 1;
inline constexpr double kRoundingShare = 0.5;
// Instructions of a division of 32-bit integers by a constant: a product and shifts. Counted in
// generated code.
inline constexpr double kGpuDivisionInstructions = 3;
// Threads of a block that computes a tile of a product, where the loops do not say. Guess.
inline constexpr double kProductThreads = 256;
// Note [Tiles] (demand.h): path, power and memory of a kernel in tiles slow each other down; it takes the
// norm of this order of them. Chosen by hand, with the epilogue in mapping/tuning.h, near 24 times of prototypes
// of products between 512 and 50432 rows, some of them estimates: H200, 2026-11-17. Not yet held against
// kernels that this library generates.
inline constexpr double kTileNorm = 6;

}  // namespace ridge::cost::tuning

// Numbers of the cost model that no device sheet has.
//
// "Guess" means that no bench derives it. The others were counted in generated code or fitted to
// `ridge bench cpu.*` (docs/bench/cost_model.md) on the machine named: "VM" is a 2-core Xeon (Ice
// Lake) at 2.8 GHz with AVX-512, LLVM 22, 2026-11-15.
#pragma once

#include <cstdint>

namespace ridge::cost::tuning {

// Caches and memory of a CPU.

// Share of a cache that a kernel may count on: the rest is the stack's, the other buffers' and the
// prefetcher's. Guess.
inline constexpr double kUsableCache = 0.9;
// Bytes after which places share a set: a page in the first level, 64 KiB in the second, on x86
// server cores since 2019; third-level caches hash addresses. From vendors' documents, 2026-11-15.
inline constexpr double kL1Way = 4096;
inline constexpr double kL2Way = 65536;
// Bytes of a page, on x86 and most Arm systems.
inline constexpr double kPage = 4096;
// Arrays gone through at once at which memory is at its best; one alone has `dram.stream`. VM.
inline constexpr double kManyStreams = 4;

// Code of a CPU.

// Operations of a loop's body up to which a sum along a row goes into four, or two, registers in
// turn: as codegen/llvm/body_weight.cpp chooses.
inline constexpr double kShortBody = 12;
inline constexpr double kMiddlingBody = 20;
// Of the second of a sine and a cosine of one argument, the share that the first has done: the
// reduction of the argument and both polynomials. VM, bench case sin2_cos2.
inline constexpr double kTwinSaves = 0.6;
// Instructions to widen or round a 16-bit element. Counted in generated code.
inline constexpr double kConversionInstructions = 2;
// Instructions of a division of 64-bit integers, of which vector units have none. Guess.
inline constexpr double kIndexDivisionInstructions = 40;
// Rows that the kernel of products rounds up to; columns go to whole vectors. From that kernel.
inline constexpr double kProductRows = 8;

// Columns of a product that one task may take, priced against each other. Guess.
inline constexpr int64_t kProductColumns[] = {512, 256, 128, 64};

// GPUs.

// Threads of a warp, here and in loop/loop.h.
inline constexpr int kWarp = 32;
// Bytes that one transaction moves, where a sheet does not say. NVIDIA since Maxwell.
inline constexpr double kUsualSector = 32;
// Waves beyond which the last one is lost among the others, as blocks end at different times. Guess.
inline constexpr double kManyWaves = 8;
// Iterations of a serial loop whose loads are in flight together. Guess.
inline constexpr double kIterationsInFlight = 4;
// Bytes that a lane passes on in one shuffle. A shuffle takes the path of shared memory.
inline constexpr double kShuffleBytes = 4;
// Instructions of a division of 32-bit integers by a constant: a product, shifts, a remainder. Guess.
inline constexpr double kGpuDivisionInstructions = 6;
// Threads of a block that computes a tile of a product, where the loops do not say. Guess.
inline constexpr double kProductThreads = 256;

}  // namespace ridge::cost::tuning

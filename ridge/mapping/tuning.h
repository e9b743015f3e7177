// Numbers of mappings that neither follow from the machine's limits nor stand in a device sheet.
//
// "P2" are times of prototypes of products on one H200, 2026-11-17, of 512 to 50432 rows; "Guess" means
// that nothing derives it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ridge::mapping::tuning {

// Registers of a producer thread, which has addresses and a barrier's parity alone; the first where
// consumers have up to kFewAccumulators sums. Known good without spills on sm_90a. P2.
inline constexpr int kProducerRegisters = 40;
inline constexpr int kLeanProducerRegisters = 24;
inline constexpr int kFewAccumulators = 128;
// Registers of a consumer thread beside its sums: addresses, the epilogue's values. QuACK's table for sm_90
// goes to 208 sums in 240 registers.
inline constexpr int kConsumerRegisters = 32;
// And of an epilogue that loads elements or has several results, so that nothing spills: bias + GELU + residual
// beside 128 x 176 sums spills 32 bytes, beside 128 x 160 none. NVRTC 13.0, sm_90a, 2026-11-20.
inline constexpr int kEpilogueRegisters = 40;
// The same of a warp that loads for itself and keeps operands in registers. Guess.
inline constexpr int kPortableRegisters = 96;

// Bytes of a block beside tiles: barriers of the ring. Guess, on the safe side.
inline constexpr int64_t kBarrierBytes = 1024;
// Slots of a ring: fewer do not cover the latency of L2, more gain nothing. DeepGEMM's least for wide tiles;
// the most is a guess.
inline constexpr int kFewestStages = 3;
inline constexpr int kMostStages = 8;
// Rows of tiles that are walked together. P2: either, within noise.
inline constexpr int kGroups[] = {8, 16};

// Steps of k that a part has at least, and parts at most. CUTLASS, stream-K; the most is a guess.
inline constexpr int kFewestStepsOfPart = 8;
inline constexpr int kMostParts = 16;

// What a mapping that splits k must gain over one that does not: partial sums cost memory and order, and
// prices are no closer than this. Guess; QuACK notes 5 % for two parts.
inline constexpr double kSplitMargin = 1.05;

// Seconds of an epilogue for each element of the result that one thread has, where results are packed,
// go through shared tiles and bulk copies. Fitted to P2 with cost::tuning::kTileNorm: 1.2 us for 128.
inline constexpr double kEpilogueSeconds = 1.2e-6 / 128;
// The same, in multiples of it, where each thread stores its own elements: 0.73 of the rate at K = 768.
// P2.
inline constexpr double kElementStores = 4;
// A pitch that is an odd multiple of 16 bytes loads this much slower. P2, promotion to 128 bytes.
inline constexpr double kOddPitch = 1.3;
// Of the rate of wgmma, what mma.sync reaches on sm_90. Published measurements of the H100, 2024.
inline constexpr double kPortableShareOfWarpgroup = 0.62;
// What a synchronous main loop with cp.async leaves of the tensor cores. Guess.
inline constexpr double kPortableShare = 0.8;
// Of the rate at which aligned operands multiply, that of misaligned ones, where a sheet does not have
// both rates of its library. Guess, after the H200's.
inline constexpr double kMisalignedShare = 0.16;

// Candidates that a Decision keeps beside the best, and refused ones that are listed.
inline constexpr int kRunnersUp = 5;
inline constexpr size_t kListedRefusals = 16;

}  // namespace ridge::mapping::tuning

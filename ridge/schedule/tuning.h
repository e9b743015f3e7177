// Constants that the cost model does not decide.
//
// In elements or points unless said otherwise. Those with a machine and a figure were measured there;
// all others are guesses from one machine, which no bench here derives.
#pragma once

#include <cstddef>
#include <cstdint>

#include "ridge/loop/device_limits.h"
#include "ridge/loop/mapping_rules.h"

namespace ridge::schedule {

// --- CPU ---

// Elements along one vector loop; a longer axis is cut, so that threads share it.
inline constexpr int64_t kVectorChunk = 4096;
// Columns that one task of a reduction over rows takes.
inline constexpr int64_t kColumnChunk = 32;
// Rows of a matrix product that one task takes, and columns where prices do not decide.
inline constexpr int64_t kTileRows = 64;
inline constexpr int64_t kTileColumns = 512;
// Queries and keys of a tile of a chain, at most, the usual first, and what they are multiples of: rows of a tile
// of a product, and a vector. 1x12x1024x64 on two cores of an EPYC with AVX-512 (`ridge bench
// 'cpu.attention.*'`, 2026-11-20): 8.9 ms with 128, 9.4 with 64; 1x12x197x64: 462 us with 128, 357 with one tile.
inline constexpr int64_t kChainSides[] = {128, 256, 64};
// Bytes of a query, key or value of a chain, at most: tiles of the first size then fit a task.
inline constexpr int64_t kMostChainRowBytes = 1024;
inline constexpr int64_t kChainRowUnit = 8;
inline constexpr int64_t kChainKeyUnit = 16;
// Points that are worth waking another thread for.
inline constexpr int64_t kPointsPerThread = 8192;

// --- GPU: blocks and grids ---

inline constexpr int64_t kMaxBlockThreads = 256;
inline constexpr int64_t kMaxRowThreads = 512;  // where a row has an SM for itself
// Side of the tile of a product that a block computes.
inline constexpr int64_t kProductTileSide = 128;
inline constexpr int64_t kSmallestProductSide = 32;
// Threads of a block that reads a chunk of a row: sums of 8 rows of 2^22, 16 of 2^21, 32 of 2^20 and 64 of
// 2^19 of bf16 take 23.8 to 24.0 us on an H200, 24.9 to 25.1 with 256. A cluster for each row takes 24.2 to
// 24.7.
inline constexpr int64_t kSplitThreads = 512;
// Blocks per SM that saturate memory: of rows cut into chunks, of tiles of columns, of maps that touch single
// elements, of a scatter (each block reads the whole index, so more of them share fewer points).
inline constexpr int64_t kRowBlocksPerSm = 8;
inline constexpr int64_t kColumnBlocksPerSm = 4;
inline constexpr int64_t kMapBlocksPerSm = 16;
inline constexpr int64_t kScatterBlocksPerSm = 8;
// Of columns of misaligned rows: 4096 x 50257 of bf16 by hand on an H200, two arrays: 227 us with 6, 210 with
// 12, 205 with 24; 299 with one column for each thread.
inline constexpr int64_t kMisalignedColumnBlocksPerSm = 12;
// Tiles of a misaligned row, at least: the columns that two tiles read are then few.
inline constexpr int64_t kMisalignedTiles = 2;
// What a product must gain for its values to have padded pitches: the kernels around it lose as rows what they
// could take as one run. Guess. And the share of memory that whole lines may cost.
inline constexpr double kPadGain = 1.25;
inline constexpr int64_t kPitchShare = 16;
// Elements of a row that one block reads in about the time of another launch.
inline constexpr int64_t kMinSplitRow = 16384;
// Contiguous bytes that are stored as fast by themselves as among others.
inline constexpr int64_t kMinRunBytes = loop::kCudaLimits.sector_bytes;
// Shared memory for the partial sums of a tile of columns.
inline constexpr int64_t kColumnSharedBytes = 40960;

// Tiles of a map that transposes: bytes of its widest array in one and threads of a block, measured on an
// H200 (128 x 128 of bf16 and 64 x 64 of f32 by 512 threads: 71 and 134 us for what 64 x 64 by 256 do in
// 73 and 135, and 100 and 154 instead of 116 and 185 where rows are misaligned).
inline constexpr int64_t kTileBytes = 32768;
inline constexpr int64_t kTileThreads = 512;
inline constexpr int64_t kMaxTileSide = 128;
inline constexpr int64_t kTileSharedBytes = 40960;  // of all arrays

// --- GPU: rows in registers ---

// Bytes of a row that a thread keeps in registers, beside loop::kOwnRegisters; and most threads of the block.
inline constexpr int64_t kMaxRegisterRowBytes = 96;
inline constexpr int64_t kRegisterRowThreads = 512;
// The same of a cluster, and its most blocks.
inline constexpr int64_t kMaxClusterRowBytes = 128;
inline constexpr int64_t kClusterBlockThreads = 256;
inline constexpr int64_t kMaxClusterBlocks = 8;
// Threads of a block that short rows share.
inline constexpr int64_t kSharedBlockThreads = 128;
// Where the length is a symbol, registers have room for rows so many times as long as expected, or for so many
// elements: few programs serve many lengths. A guess.
inline constexpr int64_t kRegisterRowGrowth = 8;
inline constexpr int64_t kMinRegisterRow = 1000;
// Bytes of such a row that a thread keeps where one warp has all of it.
inline constexpr int64_t kMaxWarpRowBytes = 128;
// Rows of fewer vectors are not worth aligning.
inline constexpr int64_t kMinMisalignedVectors = 8;
// Steps of a thread along a short row that is read once; more where the first and the last are masked (29.1 us
// for sums of 9973 x 4097 of bf16 on an H200, 32.5 with 4).
inline constexpr int64_t kReadOnceSteps = 4;
inline constexpr int64_t kMisalignedSteps = 16;
// Threads of each block of a cluster that reads a long row (25.9 us for 32 x 2^20 on an H200, 26.3 with 256,
// 28.4 with 1024).
inline constexpr int64_t kClusterReadThreads = 512;

// --- GPU: persistent blocks with rows and column sums in registers ---

// Bytes of rows and column sums in a thread, and threads of an SM then.
inline constexpr int64_t kMaxPersistentBytes = 352;
inline constexpr int64_t kPersistentThreads =
    loop::kCudaLimits.registers_per_sm / loop::kPersistentRegisters;
// Of a block that has an SM for itself; with fewer, rows are pipelined instead. Gradients of RMS norms of
// 16384 x 5120 and 6144 took 153 and 172 us on an H200 with blocks of 320 and 384 threads, and 140 and 165 in a
// pipeline; 8192 x 8192 took 110 and 111.
inline constexpr int64_t kMinPersistentThreads = 448;
// Bytes of a thread for rows and column sums, up to which the next row is prefetched to registers, else to shared
// memory. Rows of 8192 and 4096 of bf16 on an H200: with 288 bytes 105 and 104 us in registers, 107 and 106 in
// shared memory; with 352 bytes 129 and 110.
inline constexpr int64_t kMaxRegisterPrefetchBytes = 320;
// Rows. A block with an SM for itself has a prefetch distance of two: 110 us, 116 with one. Blocks that share an SM
// have one: 110 us, 118 with two.
inline constexpr int64_t kMaxPrefetchDistance = 2;

// --- GPU: persistent blocks with rows in shared memory ---

inline constexpr int64_t kSharedRowThreads = 1024;
inline constexpr int64_t kMinSharedRows = 4;  // of each block, that make it worth prefetching
// Shared memory of a block that is not for rows: what the system reserves, and exchanges between threads. The
// second is a guess.
inline constexpr int64_t kExchangedBytes = 1024;
inline constexpr int64_t kSharedOverhead =
    loop::kCudaLimits.reserved_shared_bytes + kExchangedBytes;
// Registers of a thread beside row-invariant ones: kSharedRowRegisters, and more
inline constexpr int64_t kSharedRowRegisters = 40;
inline constexpr int64_t kRefillRegisters =
    8;  // if the next row replaces this one while it is read,
inline constexpr int64_t kDividingRegisters = 12;  // if even_row_trips is no power of two,
inline constexpr int64_t kPartLineRegisters = 16;  // if rows start inside of cache lines,
inline constexpr int64_t kRowArrayRegisters = 16;  // for each array with rows after the first,
inline constexpr int64_t kReloadedArrayRegisters =
    16;  // for each array that every row loads again.
// Fewest threads of a block whose threads keep row-invariant arrays in registers.
inline constexpr int64_t kMinInvariantThreads = 384;
// To have a multiple of the alignment classes, at most one block in so many may be left without rows.
inline constexpr int64_t kMinBlocksPerClass = 8;
// Vectors of a cache line. Copies of a misaligned row start at the cache line before it, if that leaves at most one
// block in kWorthALine without rows. Softmax, RMS and layer norm of 4096 x 50257 of bf16 take 219, 217 and 232 us
// on an H200 with copies by lines, and 229, 240 and 247 by vectors.
inline constexpr int64_t kLineChunks =
    loop::kCudaLimits.line_bytes / loop::kCudaLimits.vector_bytes;
inline constexpr int64_t kWorthALine = 16;

// --- GPU: warp-specialized pipelines over rows ---

// Rows that shared memory has room for, at least. Two of them are computed.
inline constexpr int64_t kMinPipelineStages = 3;
// Rows of each cluster that make it worth starting.
inline constexpr int64_t kMinPipelineRows = 8;
inline constexpr int64_t kMaxPipelineWarps = 12;   // of a block, with the producer
inline constexpr int64_t kPipelineRegisters = 56;  // of a thread, beside loop-carried registers
// What a switch to another alignment class costs a cluster in rows, beside what it stores and loads: with 2 to
// 4 in all, gradients of norms of 4096 x 50257 took 14 us less on an H200, 2026-11-16.
inline constexpr int64_t kAlignmentSwitchRows = 1;
// Blocks share an SM where rows have few steps and shared memory has room for so many stages of each: gradients
// of RMS and layer norms of 32768 x 2049 of bf16 took 116 and 130 us with four blocks of 4 warps, 159 and 183
// with two of 8, and those of 9973 x 4097 81 us with four, 77 and 86 with two, 92 and 96 with one of 12 (H200,
// 2026-11-17).
inline constexpr int64_t kPipelineWarpsPerSm = 16;
inline constexpr int64_t kMinStagesToShareSm = 4;
inline constexpr int64_t kMaxStepsToShareSm = 5;

// --- Fusion and batches ---

// More members or more distinct buffers than this in one kernel make code that spills everything.
inline constexpr size_t kMaxMembers = 96;
inline constexpr size_t kMaxBuffers = 48;
// Groups that read a value next after one that reads it, and may join it: a value that thousands read,
// such as a shared weight, must not cost millions of questions.
inline constexpr size_t kMaxSiblings = 16;

// Bytes of temporaries that a map may keep alive to run later, beside equal ones: a larger one gains
// little from a launch less, and finds what it reads in the cache if it runs at once.
inline constexpr int64_t kMaxDelayedBytes = int64_t{4} << 20;
// Equal maps that become one kernel on a CPU: fewer are not worth a kernel that does not know its sizes.
inline constexpr size_t kMinCpuEntries = 4;
// On a GPU each is a launch less.
inline constexpr size_t kMinGpuEntries = 2;
}  // namespace ridge::schedule

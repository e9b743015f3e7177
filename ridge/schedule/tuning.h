// Numbers that no price decides.
//
// All are guesses from one machine, in elements or points unless said otherwise, and no bench here
// derives them. Take none of them for a measurement.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ridge::schedule {

// Elements along one vector loop; a longer axis is cut, so that threads share it.
inline constexpr int64_t kVectorChunk = 4096;
// Columns that one task of a reduction across rows takes.
inline constexpr int64_t kColumnChunk = 32;
// Rows of a matrix product that one task takes, and columns where the price has no word.
inline constexpr int64_t kTileRows = 64;
inline constexpr int64_t kTileColumns = 512;
// Points that are worth waking another thread for.
inline constexpr int64_t kPointsPerThread = 8192;

// Of a GPU kernel: most threads of a block, and rows and columns of the tile of a product that a block
// computes.
inline constexpr int64_t kMaxBlockThreads = 256;
inline constexpr int64_t kMaxRowThreads = 512;  // where a row has a unit for itself
inline constexpr int64_t kProductTileSide = 128;
// Threads of a block that reads a chunk of a row: sums of 8 rows of 2^22, 16 of 2^21, 32 of 2^20 and 64 of
// 2^19 of bf16 take 23.8 to 24.0 us on an H200, 24.9 to 25.1 with 256. A cluster for each row takes 24.2 to
// 24.7.
inline constexpr int64_t kSplitThreads = 512;
// Blocks for each unit that keep a GPU's memory busy: of rows cut into chunks, of tiles of columns.
inline constexpr int64_t kRowBlocksPerSm = 8;
inline constexpr int64_t kColumnBlocksPerSm = 4;
// Columns whose rows are shifted: tiles of a row that make the columns that two of them read little, blocks
// for each unit (4096 x 50257 of bf16 by hand on an H200, two arrays: 227 us with 6, 210 with 12, 205 with
// 24; 299 with one column of each thread), and bytes of a line: where a warp that takes one element of each
// row reads as much, it has nothing to gain.
inline constexpr int64_t kMisalignedTiles = 2;
inline constexpr int64_t kMisalignedColumnBlocksPerSm = 12;
inline constexpr int64_t kLineBytes = 128;
// Of maps that touch single elements.
inline constexpr int64_t kMapBlocksPerSm = 16;
// Of a scatter: each reads the whole index, so more of them share fewer points.
inline constexpr int64_t kScatterBlocksPerSm = 8;
// Elements of a row that one block goes through in about the time of another launch.
inline constexpr int64_t kMinSplitRow = 16384;
// Bytes of neighbors, a sector of memory, that are as well written by themselves as among others.
inline constexpr int64_t kMinRunBytes = 32;
// Shared memory that the partial sums of a tile of columns may take, in bytes.
inline constexpr int64_t kColumnSharedBytes = 40960;

// Tiles of a map that transposes: bytes of its widest array in one and threads of a block, measured on an
// H200 (128 x 128 of bf16 and 64 x 64 of f32 by 512 threads: 71 and 134 us for what 64 x 64 by 256 do in
// 73 and 135, and 100 and 154 instead of 116 and 185 where rows start anywhere); most bytes of shared
// memory, where several arrays go through it.
inline constexpr int64_t kTileBytes = 32768;
inline constexpr int64_t kTileThreads = 512;
inline constexpr int64_t kMaxTileSide = 128;
inline constexpr int64_t kTileSharedBytes = 40960;

// Rows of a reduction on a GPU. Bytes of a row that one thread holds in registers at most, beside the
// 48 or so that it computes with, and most threads of a block that hold a row. Blocks of a cluster that
// hold a longer one, their threads, and bytes that one of those holds. Threads of a block that short rows
// share.
inline constexpr int64_t kMaxRegisterRowBytes = 96;
inline constexpr int64_t kRegisterRowThreads = 512;
inline constexpr int64_t kMaxClusterBlocks = 8;
inline constexpr int64_t kClusterBlockThreads = 256;
inline constexpr int64_t kMaxClusterRowBytes = 128;
inline constexpr int64_t kSharedBlockThreads = 128;
// Bytes of rows and sums of columns that one thread holds where blocks walk over rows, and threads of a
// unit then: 128 registers each.
inline constexpr int64_t kMaxPersistentBytes = 352;
inline constexpr int64_t kPersistentThreads = 512;
// Of a block that has a unit for itself; rows of fewer stream instead: gradients of RMS norms of 16384 x 5120 and 6144
// took 153 and 172 us on an H200 with blocks of 320 and 384 threads, and 140 and 165 where they stream; 8192 x 8192
// took 110 and 111.
inline constexpr int64_t kMinPersistentThreads = 448;
// Most of these bytes with which the next row comes to registers too; with more it comes to shared memory:
// rows of 8192 and 4096 of bf16 on an H200, 105 and 104 us at 288 bytes, where shared memory takes 107 and
// 106; at 352 bytes 129 us, where it takes 110.
inline constexpr int64_t kMaxRegisterPrefetchBytes = 320;
// Rows that are on their way there where a block has a unit for itself: 110 us instead of 116 with one.
// Where others compute while it waits, two would only take longer: 118 instead of 110.
inline constexpr int64_t kMaxPrefetchDistance = 2;
// Rows in shared memory: threads of a block that walks over them, rows for each block that make it worth
// starting them ahead, and shared memory that the system and exchanges between threads take of each block.
inline constexpr int64_t kStagingThreads = 1024;
inline constexpr int64_t kMinStagedRows = 4;
inline constexpr int64_t kSharedOverhead = 2048;
inline constexpr int64_t kSystemSharedBytes = 1024;  // of these
// Registers of a unit and of a thread, those that such a thread computes with, the fewest threads that
// are worth more registers for each, and so many blocks for each shift of rows that some can be left out.
inline constexpr int64_t kSmRegisters = 65536;
inline constexpr int64_t kMaxThreadRegisters = 255;
inline constexpr int64_t kStagingRegisters = 40;
inline constexpr int64_t kRefillRegisters =
    8;  // more, where the next row takes the place of this one
inline constexpr int64_t kDividingRegisters = 12;  // and where rows of a walk are no power of two
inline constexpr int64_t kPartLineRegisters = 16;  // and where rows start at parts of lines
inline constexpr int64_t kRowArrayRegisters = 16;  // more for each further array that has rows
inline constexpr int64_t kReloadedArrayRegisters =
    16;  // more for each array that comes anew with every row
inline constexpr int64_t kMinInvariantThreads = 384;
inline constexpr int64_t kManyWorkers = 8;
// Chunks of 16 bytes in a line of memory, at whose starts shifted rows are fetched and stored if that leaves
// no more than one block in so many without rows: softmax, RMS and layer norm of 4096 x 50257 of bf16 take
// 219, 217 and 232 us on an H200, and 229, 240 and 247 from the chunk on where they start.
inline constexpr int64_t kLineChunks = 8;
inline constexpr int64_t kWorthALine = 16;
// Rows that stream through clusters of blocks: rows that shared memory has room for at the least, two of which
// are computed; rows for each cluster that make it worth starting; most warps of a block, the one that
// fetches included; registers that a thread computes with beside what it holds; and the part of the units
// that clusters fill where nobody has counted (120 of 132 of an H200 with clusters of 4). Sums of a row that
// lanes can exchange; and rows that a cluster could have computed while it goes on to rows of another
// alignment, beside what it stores and loads for that: with 2 to 4 in all, gradients of norms of 4096 x 50257
// took 14 us less on an H200, 2026-11-16.
// Rows of few steps, for which there is room, stream through several blocks of a unit: gradients of RMS and layer
// norms of 32768 x 2049 of bf16 took 116 and 130 us with four blocks of 4 warps, 159 and 183 with two of 8, and those of
// 9973 x 4097 81 us with four, 77 and 86 with two, 92 and 96 with one of 12 (H200, 2026-11-17).
inline constexpr int64_t kPipelineWarpsPerSm = 16;
inline constexpr int64_t kMinStagesToShareSm = 4;
inline constexpr int64_t kMaxStepsToShareSm = 5;
inline constexpr int64_t kMinPipelineStages = 3;
inline constexpr int64_t kMinPipelineRows = 8;
inline constexpr int64_t kMaxPipelineWarps = 12;
inline constexpr int64_t kPipelineRegisters = 56;
inline constexpr double kClusteredSmFraction = 10.0 / 11;
inline constexpr int64_t kMaxPipelineSums = 8;
inline constexpr int64_t kAlignmentSwitchRows = 1;
// Registers have room for rows so many times as long as expected, or for so many elements, where the length
// is a symbol: few programs serve many lengths. A guess.
inline constexpr int64_t kRegisterRowGrowth = 8;
inline constexpr int64_t kMinRegisterRow = 1000;
// Bytes of such a row that a thread holds where one warp has all of it.
inline constexpr int64_t kMaxWarpRowBytes = 128;
// Rows shorter than so many times what a thread takes at once are not worth shifting.
inline constexpr int64_t kMinMisalignedVectors = 8;
// Steps of a thread along a row that is read once, if it is short: more where the first and the last
// must ask which of their elements are inside (29.1 us for sums of 9973 x 4097 of bf16 on an H200, 32.5
// with 4). Threads of each block of a cluster that reads a long row (25.9 us for 32 x 2^20 there, 26.3
// with 256, 28.4 with 1024).
inline constexpr int64_t kReadOnceSteps = 4;
inline constexpr int64_t kMisalignedSteps = 16;
inline constexpr int64_t kClusterReadThreads = 512;
inline constexpr int64_t kSmallestProductSide = 32;
// Blocks of a product that keep a GPU busy: below it, smaller tiles. About one for each
// multiprocessor of a large one.
inline constexpr int64_t kEnoughBlocks = 132;

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

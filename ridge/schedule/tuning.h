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
inline constexpr int64_t kMostBlockThreads = 256;
inline constexpr int64_t kProductTileSide = 128;
inline constexpr int64_t kSmallestProductSide = 32;
// Blocks of a product that keep a GPU busy: below it, smaller tiles. About one for each
// multiprocessor of a large one.
inline constexpr int64_t kEnoughBlocks = 132;

// More members or more distinct buffers than this in one kernel make code that spills everything.
inline constexpr size_t kMostMembers = 96;
inline constexpr size_t kMostBuffers = 48;
}  // namespace ridge::schedule

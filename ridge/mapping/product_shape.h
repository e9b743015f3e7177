// What a product's mapping makes of its operands: slots of the ring, store tiles, registers and shared
// memory. One definition for what is legal, what it costs and what the passes write.
//
//   128x256x64 over bf16, both operands contiguous along k:
//     lhs [128, 64] swizzle 128, rhs [64, 256] by columns, swizzle 128, store tiles of 64 columns
//   rhs contiguous along n, 144 columns: rhs [64, 160] swizzle 64 (whole boxes of 32 columns)
#pragma once

#include <cstdint>
#include <vector>

#include "ridge/loop/device_limits.h"
#include "ridge/mapping/mapping.h"
#include "ridge/mapping/work.h"

namespace ridge::mapping {

// A tile of an operand in a slot of the ring. Its contiguous extent is loaded in boxes of `span` elements,
// which is `swizzle` bytes.
struct SlotTile {
  int rows = 0, columns = 0;  // as the product has them, rounded up to whole boxes
  bool is_column_contiguous = false;
  int span = 0;
  int swizzle = 0;
  int64_t bytes = 0;  // of one slot, rounded up to where the next tile may begin
};

// Columns of a warpgroup's sums that the epilogue takes at a time, and that go through one store tile.
struct StorePiece {
  int first = 0, columns = 0, count = 0;
  int swizzle = 0;
};

struct ProductShape {
  SlotTile lhs, rhs;
  std::vector<StorePiece> pieces{};                    // the wide ones, then the rest
  int64_t store_bytes = 0;                             // of all store tiles
  int64_t shared_bytes = 0;                            // of a block
  int producer_registers = 0, consumer_registers = 0;  // of a thread; 0: as launched
};

// Bytes of a row of the widest swizzle, at multiples of which, eight times, a tile begins.
inline constexpr int kSwizzleSpan = 128;
inline constexpr int kTileAlignment = 1024;
// Rows of one instruction, and columns in steps.
inline constexpr int kWarpgroupRows = 64;
inline constexpr int kMatrixColumns = 8;
// That go through store tiles: each has 16 elements of a thread in registers at a time.
inline constexpr size_t kMostStoredResults = 3;

ProductShape shape_of(const Mapping& mapping, const ProductWork& work,
                      const loop::DeviceLimits& limits);

// The pieces that `columns` of so many results are stored in. Several are in registers at a time, where their
// pieces are half as wide.
std::vector<StorePiece> store_pieces(int columns, DType dtype, size_t results = 1);

}  // namespace ridge::mapping

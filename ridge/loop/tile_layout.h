// The closed list of tile layouts: who holds an element of a tile in registers, and where it lies in
// shared memory. In goes an element (row, column), out comes (thread, value) or a byte, and back; both
// are exact, element by element, so interpreter and code generation share them.
//
//   holder_of({64, 256, TileLayout::accumulator}, {0, 9})     thread 0, value 5
//   shared_offset({64, 64, TileLayout::swizzle_128}, {1, 0})  byte 144: row 1, 16 bytes chunk 0 ^ 1
//
// Registers. A warpgroup holds blocks of 64 rows (a warp alone: 16), a block behind the other; its warp w
// holds rows 16w to 16w + 15 of each. In the picture, an 8 x 8 piece of an accumulator: the lane that
// holds each element, two neighbors in each.
//
//   row 0 |  0  0  1  1  2  2  3  3        value 0, 1; the same lanes hold row 8 in values 2, 3,
//   row 1 |  4  4  5  5  6  6  7  7        columns 8 to 15 in values 4 to 7, and so on
//   ...
//
// An operand is held likewise, packed: so an accumulator rounded to 16 bits is the left operand of the
// next product, and nothing moves. Statistics of rows are with all lanes that hold a part of the row,
// those of columns with all that hold a part of the column.
//
// Shared memory. The contiguous extent is cut into pieces as wide as the swizzle, one behind the other;
// in a piece, lines of that many bytes follow each other, and the 16-byte chunks of a line are permuted by
// the number of the line. That is where TMA puts a box as wide as the swizzle, and where wgmma looks,
// for both orders in memory. A tile begins at a multiple of shared_alignment.
#pragma once

#include <cstdint>

#include "ridge/loop/tile.h"

namespace ridge::loop {

struct Element {
  int row, column;
  constexpr bool operator==(const Element&) const = default;
};

struct RegisterTile {
  int rows, columns;
  TileLayout layout;
  int warps = kWarpgroupWarps;  // of the instance that owns it
};
struct Holder {
  int thread;  // of the instance
  int value;   // of those that the thread holds
  constexpr bool operator==(const Holder&) const = default;
};

constexpr int kRowsPerWarp = 16;  // of a block of rows
constexpr int block_rows(int warps) { return kRowsPerWarp * warps; }

// Threads that hold each element.
constexpr int copies(const RegisterTile& tile) {
  switch (tile.layout) {
    case TileLayout::row_values: return 4;                  // a quad of lanes
    case TileLayout::column_values: return 8 * tile.warps;  // every fourth lane
    case TileLayout::accumulator:
    case TileLayout::operand: return 1;
    case TileLayout::unmapped:
    case TileLayout::linear:
    case TileLayout::swizzle_32:
    case TileLayout::swizzle_64:
    case TileLayout::swizzle_128: return 0;
  }
  return 0;
}
constexpr int values_per_thread(const RegisterTile& tile) {
  return tile.rows * tile.columns * copies(tile) / (32 * tile.warps);
}

constexpr Element element_of(const RegisterTile& tile, Holder holder) {
  const int warp = holder.thread / 32, lane = holder.thread % 32, v = holder.value;
  // Four values are an 8 x 8 piece of two rows: upper two, lower two.
  const bool has_rows = tile.layout != TileLayout::column_values;
  const bool has_columns = tile.layout != TileLayout::row_values;
  const int in_block = has_columns ? tile.columns / 2 : 2;  // values of one block of rows
  const int block = has_rows ? v / in_block : 0, r = has_rows ? v % in_block : v;
  const int lower = has_columns ? r / 2 % 2 : r;
  const int piece = has_rows ? r / 4 : r / 2;
  return {
      has_rows ? block_rows(tile.warps) * block + kRowsPerWarp * warp + lane / 4 + 8 * lower : 0,
      has_columns ? 8 * piece + 2 * (lane % 4) + r % 2 : 0};
}

// The holder number `copy` of copies(tile).
constexpr Holder holder_of(const RegisterTile& tile, Element element, int copy = 0) {
  const int row = element.row % block_rows(tile.warps),
            block = element.row / block_rows(tile.warps);
  const int row_thread = 32 * (row / kRowsPerWarp) + 4 * (row % 8), lower = row / 8 % 2;
  const int column_lane = element.column / 2 % 4, piece = element.column / 8,
            odd = element.column % 2;
  if (tile.layout == TileLayout::row_values) return {row_thread + copy, 2 * block + lower};
  if (tile.layout == TileLayout::column_values) return {4 * copy + column_lane, 2 * piece + odd};
  return {row_thread + column_lane, tile.columns / 2 * block + 4 * piece + 2 * lower + odd};
}

struct SharedTile {
  int rows, columns;
  TileLayout layout;
  int element_bytes = 2;
  bool is_column_contiguous = false;
};

// Bytes of a line of a swizzled tile; 0 of a linear one.
constexpr int swizzle_bytes(TileLayout layout) {
  switch (layout) {
    case TileLayout::swizzle_32: return 32;
    case TileLayout::swizzle_64: return 64;
    case TileLayout::swizzle_128: return 128;
    case TileLayout::unmapped:
    case TileLayout::accumulator:
    case TileLayout::operand:
    case TileLayout::row_values:
    case TileLayout::column_values:
    case TileLayout::linear: return 0;
  }
  return 0;
}
// Where a tile, and each of its slots, may begin: TMA wants 128 bytes, a swizzle eight of its lines.
constexpr int shared_alignment(TileLayout layout) {
  return layout == TileLayout::linear ? 128 : 8 * swizzle_bytes(layout);
}
// The hardware's permutation: address bits 4 to 6 are xored with bits 7 to 9 (128 bytes; 4, 5 with 7, 8
// for 64; 4 with 7 for 32).
constexpr int64_t swizzled(int64_t address, int span) {
  return address ^ ((address >> 7) & (span / 16 - 1)) << 4;
}

constexpr int64_t shared_offset(const SharedTile& tile, Element element) {
  const bool by_column = tile.is_column_contiguous;
  const int64_t line = by_column ? element.column : element.row;
  const int64_t lines = by_column ? tile.columns : tile.rows;
  const int64_t at = int64_t{by_column ? element.row : element.column} * tile.element_bytes;
  const int64_t width = int64_t{by_column ? tile.rows : tile.columns} * tile.element_bytes;
  const int span = swizzle_bytes(tile.layout);
  if (span == 0) return line * width + at;
  return swizzled((at / span * lines + line) * span + at % span, span);
}
// With what the last piece has beyond the tile; a slot is this, rounded up to shared_alignment.
constexpr int64_t shared_bytes(const SharedTile& tile) {
  const int64_t lines = tile.is_column_contiguous ? tile.columns : tile.rows;
  const int64_t width =
      int64_t{tile.is_column_contiguous ? tile.rows : tile.columns} * tile.element_bytes;
  const int span = swizzle_bytes(tile.layout);
  return span == 0 ? lines * width : (width + span - 1) / span * span * lines;
}
constexpr int64_t slot_bytes(const SharedTile& tile) {
  const int64_t alignment = shared_alignment(tile.layout);
  return (shared_bytes(tile) + alignment - 1) / alignment * alignment;
}

}  // namespace ridge::loop

// Where the elements of tiles are: in shared memory, and in the registers of a warpgroup.
//
//   tile_offset<128>(64, 9, 16)      byte 16 of line 9, of a tile of 64 lines: 1152 ^ 16 ^ 16 = 1152
//
// All of it is arithmetic, which a test on a host includes and compares with loop/tile_layout.h.
#pragma once

namespace ridge {

// @helper tile_offset
// Of a byte of a line. A tile is cut into pieces of kSpan bytes of all its lines, one piece behind the other; within
// eight lines, chunks of 16 bytes trade places, as the swizzles of tensor maps and of wgmma say. A tile that is not
// swizzled is one piece: kSpan is the length of its lines.
template <int kSpan, bool kIsSwizzled = true>
__device__ constexpr unsigned tile_offset(unsigned lines, unsigned line, unsigned byte) {
  const unsigned plain = (byte / kSpan * lines + line) * kSpan + byte % kSpan;
  return kIsSwizzled ? plain ^ ((plain >> 7 & (kSpan / 16 - 1)) << 4) : plain;
}

// @helper grouped_tile
// Tile number `number` of a grid of tiles, in an order in which kGroup rows of tiles are walked column by column: tiles
// that run at the same time share operands in L2.
template <int kGroup, class Int>
__device__ inline void grouped_tile(Int number, Int rows, Int columns, Int& row, Int& column) {
  const Int first = number / (kGroup * columns) * kGroup;
  const Int group = rows - first < kGroup ? rows - first : kGroup;
  const Int rest = number % (kGroup * columns);
  row = first + rest % group;
  column = rest / group;
}

// @helper descriptor
// Of a matrix in swizzled shared memory, which starts at `address`: a word for where it is, and one for how it is swizzled.
// Only the first one changes in a loop. `leading_bytes`: from one piece to the next, where the lines are rows of k.
__device__ constexpr unsigned descriptor_place(unsigned address, unsigned leading_bytes) {
  return (address & 0x3ffff) >> 4 | leading_bytes >> 4 << 16;
}
template <int kSpan>
__device__ constexpr unsigned descriptor_form() {
  return (kSpan == 128 ? 1u : kSpan == 64 ? 2u : 3u) << 30 | 8 * kSpan >> 4;
}
__device__ constexpr unsigned long long descriptor(unsigned place, unsigned form) {
  return (unsigned long long)form << 32 | place;
}

// @helper accumulator_place
// Of register r of a thread, in 64 rows of an accumulator: pairs of columns of a row, then of the row 8 below.
__device__ constexpr int accumulator_row(int thread, int r) {
  return 16 * (thread / 32) + thread % 32 / 4 + 8 * (r / 2 % 2);
}
__device__ constexpr int accumulator_column(int thread, int r) {
  return 8 * (r / 4) + 2 * (thread % 4) + r % 2;
}

// @helper matrix_line
// stmatrix and ldmatrix of 16 x 16: the row that a lane names, and the first byte of its 16.
__device__ constexpr int matrix_row(int lane) { return lane % 16; }
__device__ constexpr int matrix_byte(int lane) { return lane / 16 * 16; }
// The same of its transpose: the column, and the byte of a column.
__device__ constexpr int matrix_row_transposed(int lane) { return lane % 8 + lane / 16 * 8; }
__device__ constexpr int matrix_byte_transposed(int lane) { return lane / 8 % 2 * 16; }

}  // namespace ridge

// Which maps on a GPU need tiles, and of what shape.
//
// Neighboring threads should touch consecutive elements. Where arrays of a map lie along different
// axes, as those of a transposed copy do, no order of threads suits them all:
//
//   out[i, j] = x[j, i]     out is contiguous along j, x along i
//
// Then blocks take tiles of both axes, and arrays that are contiguous along rows go through shared memory
// (gpu_mappings.h), in which the order of accesses is free.
#pragma once

#include <optional>

#include "ridge/schedule/gpu_emitter.h"

namespace ridge::schedule {

// Note [Tile layout]: element (i, j) of a tile is written and read there by threads that go along
// different axes, and both should find their elements in different banks.
// - Swizzled: row j of shared memory is rotated by 16 bytes for each vector of a thread along j. Eight
//   threads along j find their elements in eight different places of 16 bytes, and four along i find
//   theirs beside each other; vectors along i stay whole.
// - Padded, where threads along j take less than that: rows are longer by one bank.
struct TilePoint {
  Expr chunk, in_chunk;  // i, as the number of a thread's vector along it and the place in that
  Expr vector, column;   // j: the number of its vector, and itself
};
struct TileShape {
  // Axes of the kernel: results are contiguous along the column axis, staged arrays along the row axis.
  int column_axis, row_axis;
  // Consecutive elements along each axis that a thread takes at once.
  int64_t column_width, row_width;
  int64_t columns = 0, rows = 0;  // of the tile
  int64_t threads = 0;
  bool is_swizzled = false;

  int64_t column_threads() const;  // consecutive ones that take columns of one row
  int64_t beside() const;          // threads that take neighbors in either traversal
  int64_t column_steps() const { return columns / column_width * rows / threads; }
  int64_t row_steps() const { return rows / row_width * columns / threads; }
  int64_t elements(DType dtype) const;                    // of shared memory
  Expr place(DType dtype, const TilePoint& point) const;  // there
};

// Is an access with these strides contiguous along the row axis, and so far apart along the column axis that
// neighbors there share no sector of memory?
bool is_transposed_access(int64_t column_stride, int64_t row_stride, DType dtype);

// Nothing where all arrays lie along one axis, or an axis is too short.
std::optional<TileShape> tile_shape(const GpuEmitter& gpu);

// How the threads of a block go through a tile: along one axis of the map or along the other, with the
// elements that a thread takes at once as lanes of a vector.
//
// Axes of the kernel: where the tile of a block is, and which thread of the block one is, in rows of
// threads that are beside each other on every traversal.
struct TileThreads {
  int row_tile = -1, column_tile = -1, row = -1, thread = -1;
};

struct TileTraversal {
  int step = -1, lane = -1;  // axes: serial, and vector if there are several at once
  int64_t steps = 1, width = 1;
  TilePoint point{};
  Expr column{}, row{};  // the axes of the map there
  Expr is_inside{};      // null if always

  Expr in_vector() const { return lane >= 0 ? expr::axis(lane) : Expr(0); }
  // A body at every point of the traversal.
  loop::Statement with(loop::Body body) const;
};

// Neighboring threads take neighbors along the row axis, or along the column axis.
TileTraversal traverse_rows(Emitter& emitter, const TileShape& shape, const TileThreads& threads);
TileTraversal traverse_columns(Emitter& emitter, const TileShape& shape,
                               const TileThreads& threads);

}  // namespace ridge::schedule

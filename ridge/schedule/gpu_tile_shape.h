// Which maps on a GPU need tiles, and of what shape.
//
// Neighboring threads should touch consecutive elements. Where arrays of a map lie along different
// axes, as those of a transposed copy do, no order of threads suits them all:
//
//   out[i, j] = x[j, i]     out lies along j, x across: along i
//
// Then blocks take tiles of both axes, and what lies across goes through shared memory
// (gpu_mappings.h), in which the order of accesses is free.
#pragma once

#include <optional>

#include "ridge/schedule/gpu_emitter.h"

namespace ridge::schedule {

// Note [Tile layout]: element (i, j) of a tile is written and read there by threads that go along
// different axes, and both should find their elements in different banks.
// - Rotated: row j of shared memory is swizzled by rotation, 16 bytes for each vector of a thread along j. Eight
//   threads along j find their elements in eight different places of 16 bytes, and four along i find
//   theirs beside each other; vectors along i stay whole.
// - Padded, where threads along j take less than that: rows are longer by one bank.
struct TilePoint {
  Expr chunk, in_chunk;  // i, as the number of a thread's vector along it and the place in that
  Expr vector, row;      // j: the number of its vector, and itself
};
struct TileShape {
  int along, across;                        // axes of the kernel: of results, and of what is staged
  int64_t along_width, across_width;        // neighbors along each that a thread takes at once
  int64_t along_side = 0, across_side = 0;  // of the tile, in elements
  int64_t threads = 0;
  bool is_rotated = false;

  int64_t along_threads() const;  // of a row: beside each other where it is read along
  int64_t beside() const;  // threads that take neighbors both there and where it is read across
  int64_t along_steps() const { return along_side / along_width * across_side / threads; }
  int64_t across_steps() const { return across_side / across_width * along_side / threads; }
  int64_t elements(DType dtype) const;                    // of shared memory
  Expr place(DType dtype, const TilePoint& point) const;  // there
};

// Does an access with these steps in elements lie across, and so far apart that neighbors along the
// other axis share no sector of memory?
bool lies_in_tiles(int64_t along_step, int64_t across_step, DType dtype);

// Nothing where all arrays lie along one axis, or an axis is too short.
std::optional<TileShape> tile_shape(const GpuEmitter& gpu);

// How the threads of a block go through a tile: along one axis of the map or along the other, with the
// elements that a thread takes at once as lanes of a vector.
//
// Axes of the kernel: where the tile of a block is, and which thread of the block one is, in rows of
// threads that are beside each other on every traversal.
struct TileThreads {
  int across_tile = -1, along_tile = -1, row = -1, thread = -1;
};

struct TileTraversal {
  int step = -1, lane = -1;  // axes: serial, and vector if there are several at once
  int64_t steps = 1, width = 1;
  TilePoint point{};
  Expr along{}, across{};  // the axes of the map there
  Expr is_inside{};        // null if always

  Expr in_vector() const { return lane >= 0 ? expr::axis(lane) : Expr(0); }
  // A body at every point of the traversal.
  loop::Statement with(loop::Body body) const;
};

// Neighboring threads at neighbors along the axis across, or along the other.
TileTraversal traverse_across(Emitter& emitter, const TileShape& shape, const TileThreads& threads);
TileTraversal traverse_along(Emitter& emitter, const TileShape& shape, const TileThreads& threads);

}  // namespace ridge::schedule

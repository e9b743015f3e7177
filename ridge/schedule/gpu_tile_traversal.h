// How the threads of a block go through a tile: along one axis of the map or along the other, with the
// elements that a thread takes at once as lanes of a vector.
#pragma once

#include "ridge/schedule/gpu_tile_shape.h"

namespace ridge::schedule {

// Axes of the kernel: where the tile of a block is, and which thread of the block one is, in rows of
// threads that are beside each other on every walk.
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
  // A body at every point of the walk.
  loop::Statement with(loop::Body body) const;
};

// Neighboring threads at neighbors along the axis across, or along the other.
TileTraversal traverse_across(Emitter& emitter, const TileShape& shape, const TileThreads& threads);
TileTraversal traverse_along(Emitter& emitter, const TileShape& shape, const TileThreads& threads);

}  // namespace ridge::schedule

// What keeps accesses to shared tiles apart, written into a kernel over mapped tiles as statements of its own.
//
//   move out_tile = sum                     move out_tile = sum
//   copy out_map[..] = out_tile      ->     barrier_sync -1           every thread fences, then all of the role meet
//   wait_stores 0 read                      copy out_map[..] = out_tile
//   move out_tile = sum                     wait_stores 0 read        one thread waits
//                                           barrier_sync 0            all of the role meet
//                                           move out_tile = sum
//
// A dataflow over each role: which tiles threads have written or read since they last met, which are fenced, which the
// last wait for stores gave back. Tiles in rings are kept apart by their mbarriers.
#pragma once

#include "ridge/loop/loop.h"

namespace ridge::codegen::cuda {

// Numbers of named barriers that stand for these; the program's own are 1 to 15.
inline constexpr int kOwnBarrier = 0;  // of the threads of an instance of the role
inline constexpr int kOwnFence =
    -1;  // the same behind a fence: what they wrote is there for copies and products
inline constexpr int kFenceAlone = -2;  // the barrier that follows is the program's own

void add_tile_barriers(loop::Kernel& kernel);

}  // namespace ridge::codegen::cuda

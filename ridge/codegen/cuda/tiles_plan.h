// Where a kernel over mapped tiles (loop/tile.h) keeps what: warps of roles, shared memory, arrivals at mbarriers.
//
//   ring stages slots 4; tile lhs: bf16[128, 64] swizzle 128 in stages     lhs at byte 0, 4 slots of 16384
//   tile out: bf16[64, 64] swizzle 128 slots 2 in math (2 instances)       out at 196608, 4 of 8192
//   role math warpgroups 2, role load warps 1                              warps 0 to 7 and 8
//
// The plan is a function of the kernel alone. Warpgroups come first, for their warps are numbered from a multiple of 4.
#pragma once

#include <string>
#include <vector>

#include "ridge/base/decision.h"
#include "ridge/loop/loop.h"

namespace ridge::codegen::cuda {

// Of a tile in shared memory: lines are contiguous, and there is one for each row, or for each column.
struct TilePlacement {
  int64_t lines = 0, elements = 0;  // of a line
  int64_t span = 0;                 // bytes of a swizzle; of a linear tile, of a line
  bool is_swizzled = false;
  int64_t bytes = 0;      // of a slot
  int64_t slots = 1;      // one behind the other
  int64_t offset = 0;     // of the first slot, of the first instance
  int64_t instances = 1;  // of the role that it belongs to, each with all slots
};

struct RolePlan {
  const loop::Role* role;
  int first_warp;
  int warps;    // of all instances
  int threads;  // of one instance
  int barrier;  // number of the named barrier of the first instance; the next one has the next
};

struct RingPlan {
  int64_t full_offset, empty_offset;  // of the first mbarrier of each kind
  int full_arrivals = 0, empty_arrivals = 0;
};

struct TilesPlan {
  std::vector<TilePlacement> tiles;  // by tile; those in registers have no bytes
  std::vector<RolePlan> roles;       // in the order of their warps
  std::vector<RingPlan> rings;
  int warps = 0;
  int64_t shared_bytes = 0;
  int launch_registers = 0;  // of a thread, before roles change them
  int blocks_per_sm = 1;
};

TilesPlan tiles_plan(const loop::Kernel& kernel);

// No, with the reason, where the kernel holds what this generator does not print, or more than an SM has.
Decision can_write_tiles(const loop::Kernel& kernel, int arch);

// Registers of a thread for a tile in registers.
int64_t tile_registers(const loop::Tile& tile);
int64_t constant_extent(const loop::Expr& e);
// Of a slot that is produced: not by a copy.
bool is_thread_write(const loop::Statement& statement);

}  // namespace ridge::codegen::cuda

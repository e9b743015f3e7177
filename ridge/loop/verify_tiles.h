// The rules of tile.h, in steps that rely on those before them, and what the steps share.
//
//   verify_tile_budget(kernel, limits);    // Error: "tiles of at most 232448 bytes", given "297984 bytes"
//
// `verify` runs the steps; the budget needs a device, so who launches asks for it.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "ridge/loop/device_limits.h"
#include "ridge/loop/tile_layout.h"

namespace ridge::loop {

// Shared memory of a block: slots of tiles, each as aligned as its layout wants, and the barriers of rings.
int64_t tile_shared_bytes(const Kernel& kernel);
// Error{internal} unless blocks of the kernel fit the device: shared memory, as many as are to share an SM.
void verify_tile_budget(const Kernel& kernel, const DeviceLimits& limits);

// Tiles, rings and views for themselves: names, layouts, extents, boxes; the roles' warps and registers.
void verify_tile_declarations(const Kernel& kernel);
// Which statements stand where; rings between roles; named barriers.
void verify_tile_places(const Kernel& kernel);
// Extents, dtypes and layouts of what meets in a statement.
void verify_tile_operands(const Kernel& kernel);
// Tiles are defined before they are read; what is in flight is left alone.
void verify_tile_flow(const Kernel& kernel);

// The roles of a mapped kernel, which take its warps in this order; none of another kernel.
std::vector<const Role*> roles_of(const Kernel& kernel);
// Null of a tile without a role.
const Role* role_of(const Kernel& kernel, const Tile& tile);
inline int threads_of(const Role& role) { return kWarpSize * role.warps * role.instances; }
// The largest power of two up to 2^20 that is known to divide the expression.
int64_t known_divisor(const Expr& e);
inline int element_bytes(DType dtype) { return dtype.bits / 8; }
// The tiles that a statement reads and writes, itself and not in its body, a tile as often as it is named.
struct TouchedTiles {
  std::vector<int> read, written;
};
TouchedTiles touched_by(const Statement& statement);

}  // namespace ridge::loop

// map_product: the unmapped skeleton "product" and a mapping become roles, rings, views and layouts.
//
//   kernel as contract_to_tiles gives it, and
//   product wgmma 128x256x64 cooperative 2 stages 4 group 8
//
// becomes the mapped product of loop/tile.h: a producer warp that fills a ring by bulk copies, warpgroups
// that multiply, run the epilogue and store, and one persistent loop over tiles in both.
//
// - Cooperative warpgroups take rows of one tile and give a slot back when its product is complete.
// - In ping-pong each has every other tile of the block. Barriers 1 and 2 pass the turn at the tensor cores,
//   so that one multiplies while the other stores. A slot is given back one product later: one warpgroup
//   alone would leave the tensor cores idle while it waits.
// - Results go through swizzled tiles of 64 rows, at most 128 bytes wide; what is left of a tile's columns
//   through narrower ones. With `store elements` each thread stores its own.
//
// In: a kernel that match_product accepts, a mapping that can_run on it; the pitches of operands, and of
// the result with `store tile`, are multiples of 16 bytes at run time. Out: a kernel in mapped form. Refused,
// with the kernel as it was: other skeletons, `mma`, split k, clusters, hints, and other values than f32 with
// `store tile`.
#pragma once

#include "ridge/loop/device_limits.h"
#include "ridge/mapping/mapping.h"
#include "ridge/mapping/passes/rewritten.h"

namespace ridge::mapping {

// Is there a pass for this mapping? Of the mappings that fit, these are the ones to choose from.
Decision can_apply(const Mapping& mapping);

Rewritten map_product(loop::Kernel kernel, const Mapping& mapping,
                      const loop::DeviceLimits& limits);

}  // namespace ridge::mapping

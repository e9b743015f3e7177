// Products on a GPU in tiles of a mapping (ridge/mapping): what they cost, and the kernel that they become.
//
//   call.kernel       contract in grid loops     ->   roles, a ring and tiles (loop/tile.h)
//   call.decisions    yes: product wgmma 128x192x64 ping_pong 2 ... (117.8 us, otherwise 122.0 us)
//
// The mapping is chosen for the sizes that are expected. A product that none fits keeps its kernel, and the
// reason.
#pragma once

#include "ridge/mapping/choose.h"
#include "ridge/schedule/loops.h"
#include "ridge/schedule/plan.h"

namespace ridge::schedule {

struct ChosenMapping {
  Decision decision;  // no: none fits
  mapping::Work work{};
  mapping::Choice choice{};

  // Of k, whose sums a second kernel adds (gpu_split_product.h); 1: the product is one kernel.
  int parts() const;
};
// For the kernel of a call, whose symbols are params; `id` is how RIDGE_MAPPING names it. Without `can_split`
// only among those that are one kernel.
ChosenMapping choose_mapping(const KernelCall& call, const LoopInput& input,
                             const mapping::KernelId& id, bool can_split = true);
// Gives the call the kernel and the decisions. Of a product that is cut, the call is that of the first kernel.
void map_product(KernelCall& call, const ChosenMapping& chosen, const loop::DeviceLimits& limits);

// Seconds that the product of a group takes in tiles; nothing where no mapping fits.
std::optional<double> mapped_seconds(const LoopInput& input);

}  // namespace ridge::schedule

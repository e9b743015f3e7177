// The mapping to a GPU: 16 bytes of a map's widest array for each thread, a block for each tile of a
// product; some threads, a block or a cluster for each row of a reduction, by its length; columns, few
// long rows, prefix sums and scatters by mappings of their own.
#include <algorithm>

#include "ridge/base/text.h"
#include "ridge/schedule/contraction.h"
#include "ridge/schedule/gpu_mappings.h"
#include "ridge/schedule/gpu_persistent_rows.h"
#include "ridge/schedule/gpu_split_reduction.h"
#include "ridge/schedule/kernel_text.h"
#include "ridge/schedule/tuning.h"

namespace ridge::schedule {
namespace {

// Large ones load less for each product; but all of the GPU should have work.
ProductTile tile_for(const GpuEmitter& gpu, const ProductExtents& extents) {
  const bool is_wide = gpu.group.accumulator(gpu.input.group.members.front()) != f32;
  const int64_t largest = is_wide ? kProductTileSide / 2 : kProductTileSide;
  const auto fitting = [&](const Size& extent) {
    int64_t side = kSmallestProductSide;
    while (side < largest && side < extent.hint_or(largest)) side *= 2;
    return side;
  };
  ProductTile tile{fitting(extents.m), fitting(extents.n), loop::Place::gpu_block};
  const auto blocks = [&] {
    const auto count = [](const Size& extent, int64_t side) {
      return divided_up(extent.hint_or(kProductTileSide), side);
    };
    return extents.batch.hint_or(1) * count(extents.m, tile.rows) * count(extents.n, tile.columns);
  };
  while (blocks() < gpu.input.limits.sms &&
         std::max(tile.rows, tile.columns) > kSmallestProductSide) {
    (tile.rows >= tile.columns ? tile.rows : tile.columns) /= 2;
  }
  return tile;
}

void emit_product(GpuEmitter& gpu) {
  const std::optional<ProductExtents> extents = product_extents(gpu.group);
  if (!extents || extents->k.known() == 0) return emit_gpu_map(gpu);
  const ProductTile tile = tile_for(gpu, *extents);
  if (!emit_contraction(gpu.group, tile)) return emit_gpu_map(gpu);
  gpu.group.decisions.push_back(Decision::yes(
      concat("in a kernel of its own tiles of ", tile.rows, " x ", tile.columns, ", one a block")));
}

}  // namespace

EmittedGroup gpu_loops(const LoopInput& input) {
  if (input.group.kind == GroupKind::scatter) {
    if (auto writes = gpu_writes(input)) return std::move(*writes);
    return {{gpu_scatter(input)}, {}};
  }
  if (input.group.has_columns()) return gpu_persistent_rows(input);
  if (input.group.kind == GroupKind::reduction) {
    if (auto scan = gpu_scan(input)) return std::move(*scan);
    if (auto ranks = gpu_rank(input)) return std::move(*ranks);
    if (auto columns = gpu_columns(input)) return std::move(*columns);
    if (auto rows = split_gpu_rows(input)) return std::move(*rows);
  }
  if (input.group.kind == GroupKind::map) {
    if (auto tiles = gpu_tiles(input)) return {{std::move(*tiles)}, {}};
  }
  GpuEmitter gpu(input);
  switch (input.group.kind) {
    case GroupKind::map: emit_gpu_map(gpu); break;
    case GroupKind::contraction: emit_product(gpu); break;
    case GroupKind::reduction: emit_gpu_rows(gpu); break;
    case GroupKind::scatter:
    case GroupKind::chain: break;
  }
  return {{gpu.group.finish()}, {}};
}

}  // namespace ridge::schedule

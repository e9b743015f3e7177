// The mapping to a GPU: 16 bytes of a map's widest array for each thread, a block for each tile of a
// product and for each row of a reduction; columns, few long rows, prefix sums and scatters in ways
// of their own.
#include "ridge/schedule/contraction_loops.h"
#include "ridge/schedule/gpu_scan.h"
#include "ridge/schedule/gpu_scatter.h"
#include "ridge/schedule/gpu_split.h"
#include "ridge/schedule/kernel_text.h"
#include "ridge/schedule/tuning.h"

namespace ridge::schedule {
namespace {

void emit_product(GpuEmitter& gpu) {
  const ProductTile tile{kProductTileSide, kProductTileSide, loop::Place::grid};
  if (!emit_contraction(gpu.group, tile)) emit_gpu_map(gpu);
}

}  // namespace

EmittedGroup gpu_loops(const LoopInput& input) {
  if (input.group.kind == GroupKind::scatter) return {{gpu_scatter(input)}, {}};
  if (input.group.kind == GroupKind::reduction) {
    if (auto scan = gpu_scan(input)) return {{std::move(*scan)}, {}};
    if (auto columns = gpu_columns(input)) return std::move(*columns);
    if (auto rows = split_gpu_rows(input)) return std::move(*rows);
  }
  GpuEmitter gpu(input);
  switch (input.group.kind) {
    case GroupKind::map: emit_gpu_map(gpu); break;
    case GroupKind::contraction: emit_product(gpu); break;
    case GroupKind::reduction: emit_gpu_rows(gpu); break;
    case GroupKind::scatter: break;
  }
  return {{gpu.group.finish()}, {}};
}

}  // namespace ridge::schedule

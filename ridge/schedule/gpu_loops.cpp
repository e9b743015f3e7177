// The mapping to a GPU: 16 bytes of a map's widest array for each thread, a block for each tile of a
// product and for each row of a reduction.
#include "ridge/schedule/contraction_loops.h"
#include "ridge/schedule/gpu_split.h"
#include "ridge/schedule/kernel_text.h"
#include "ridge/schedule/scatter_loops.h"
#include "ridge/schedule/tuning.h"

namespace ridge::schedule {
namespace {

void emit_product(GpuEmitter& gpu) {
  const ProductTile tile{kProductTileSide, kProductTileSide, loop::Place::grid};
  if (!emit_contraction(gpu.group, tile)) emit_gpu_map(gpu);
}

// One thread, so that what is added to one place is added in order.
void emit_gpu_scatter(GpuEmitter& gpu) {
  const int only = gpu.emitter.add_axis(1);
  gpu.emitter.open(only, loop::Place::grid);
  emit_scatter(gpu.emitter, gpu.input, false);
  gpu.emitter.close();
}

}  // namespace

EmittedGroup gpu_loops(const LoopInput& input) {
  if (input.group.kind == GroupKind::reduction) {
    if (auto columns = gpu_columns(input)) return std::move(*columns);
    if (auto rows = split_gpu_rows(input)) return std::move(*rows);
  }
  GpuEmitter gpu(input);
  switch (input.group.kind) {
    case GroupKind::map: emit_gpu_map(gpu); break;
    case GroupKind::contraction: emit_product(gpu); break;
    case GroupKind::reduction: emit_gpu_rows(gpu); break;
    case GroupKind::scatter: emit_gpu_scatter(gpu); break;
  }
  return {{gpu.group.finish()}, {}};
}

}  // namespace ridge::schedule

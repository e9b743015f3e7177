// The ways a group can be mapped to a CPU, of which the cost model chooses one.
#pragma once

#include "ridge/schedule/loops.h"
#include "ridge/schedule/tuning.h"

namespace ridge::schedule {

struct CpuVariant {
  // Of a reduction: lanes across rows, rather than along one.
  bool runs_across_rows = false;
  // Of a matrix product, that one task takes. Fewer columns make more tasks to share, more columns
  // use each packed row more often.
  int64_t tile_columns = kTileColumns;
};

// Tasks of so many points each that are worth another thread.
Expr task_grain(const Size& points_per_task);

EmittedKernel emit_cpu_loops(const LoopInput& input, const CpuVariant& variant);

}  // namespace ridge::schedule

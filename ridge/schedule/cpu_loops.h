// The ways a group can be mapped to a CPU, of which the cost model chooses one.
#pragma once

#include "ridge/schedule/loops.h"
#include "ridge/schedule/tuning.h"

namespace ridge::schedule {

struct CpuVariant {
  // Of a reduction, or of a product of a matrix and a vector: one row per lane, rather than lanes along a row.
  bool is_row_per_lane = false;
  // Of a matrix product, that one task takes. Fewer columns make more tasks to share, more columns
  // use each packed row more often.
  int64_t tile_columns = kTileColumns;
  // Of a chain, at most in a tile.
  int64_t chain_queries = kChainSides[0], chain_keys = kChainSides[0];
};

// Tasks of so many points each that are worth another thread.
Expr task_grain(const Size& points_per_task);

EmittedKernel emit_cpu_loops(const LoopInput& input, const CpuVariant& variant);

// A chain on a CPU: a task for each tile of queries. Its tiles are those that fit a cache.
EmittedKernel emit_cpu_chain(const LoopInput& input, const CpuVariant& variant);
std::vector<CpuVariant> chain_variants(const LoopInput& input);

// Prefix sums on a CPU: a task scans one row, or many rows at once, one per lane, where they are strided. Sums of
// reals are in f64, which costs nothing here: each sum waits for the one before it either way.
//
// Nothing where the group has no scan.
std::optional<EmittedKernel> cpu_scan(const LoopInput& input);

// Ranks on a CPU: one kernel stores the elements of all rows, one has a task for each row that sorts it, digits of
// 8 bits at a time. One long row is one task: its passes go from cache to cache, and more tasks would need a
// barrier after each of them.
//
// Nothing where the group is something else than the rank of rows that are long enough.
std::optional<EmittedGroup> cpu_rank(const LoopInput& input);

}  // namespace ridge::schedule

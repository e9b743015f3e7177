// A scatter: the result starts as `initial`, then every point is combined into its target, one after
// the other, because two points may have the same one. Without a reducer they do not, and each value is written.
#pragma once

#include "ridge/schedule/inlined_graph.h"
#include "ridge/schedule/loops.h"

namespace ridge::schedule {

// One element of the result, and one point.
struct ScatterStep {
  Emitter& emitter;
  const LoopInput& input;
  int32_t node;

  // What the element of the result at this position starts as.
  int initial(const std::vector<Expr>& at) const;
  // Combines the value of the point with these axes into an element of a buffer.
  void combine(int buffer, const Expr& index, const std::vector<Expr>& point) const;
  // The same where it is the first: into what the element of the result at `at` starts as.
  void begin(int buffer, const Expr& index, const std::vector<Expr>& at,
             const std::vector<Expr>& point) const;
  // What a point brings.
  int value_at(const std::vector<Expr>& point) const;

 private:
  void store_combined(int buffer, const Expr& index, int before, int value) const;
};

// Where the point goes, by axis of the result.
std::vector<Expr> scatter_target(Emitter& emitter, int32_t node, const ops::Definition& definition,
                                 const std::vector<Expr>& point);

void emit_scatter(Emitter& emitter, const LoopInput& input, bool may_use_lanes);

// What a scatter does with each axis: which ones a point and its target share, and which are led
// somewhere by an index.
//
//   target {index[i0], i1} of result[n, m]     columns {1}, by axis {1}; slots {0}; scanned {0}
struct ScatterTargets {
  std::vector<int> columns;      // axes of the result that are axes of the point,
  std::vector<int> column_axes;  // and which
  std::vector<int> slots;        // the other axes of the result
  std::vector<int> scanned;      // the other axes of the points
  bool is_uniform = true;        // is the slot the same in all columns?
  bool has_neighbors = false;    // is the last axis of both the last of the columns?
};
ScatterTargets scatter_targets(const InlinedGraph& program, int32_t node);

}  // namespace ridge::schedule

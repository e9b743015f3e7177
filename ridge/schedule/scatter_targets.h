// What a scatter does with each axis: which ones a point and its target share, and which are led
// somewhere by an index.
//
//   target {index[i0], i1} of result[n, m]     columns {1}, by axis {1}; slots {0}; scanned {0}
#pragma once

#include "ridge/schedule/inlined_graph.h"

namespace ridge::schedule {

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

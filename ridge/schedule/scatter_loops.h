// A scatter: the result starts as `initial`, then every point is combined into its target, one after
// the other, because two points may have the same one.
#pragma once

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
};

void emit_scatter(Emitter& emitter, const LoopInput& input, bool may_use_lanes);

}  // namespace ridge::schedule

// A scatter: the result starts as `initial`, then every point is combined into its target, one after
// the other, because two points may have the same one.
#pragma once

#include "ridge/schedule/loops.h"

namespace ridge::schedule {

void emit_scatter(Emitter& emitter, const LoopInput& input, bool may_use_lanes);

}  // namespace ridge::schedule

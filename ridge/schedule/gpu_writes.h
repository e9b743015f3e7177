// A scatter that writes, on a GPU: no two points have the same target (ops/definition.h), so threads take them in any
// order. One kernel makes what is there before, one has a thread for each point.
#pragma once

#include "ridge/schedule/gpu_emitter.h"

namespace ridge::schedule {

// Nothing where points are combined with each other.
std::optional<EmittedGroup> gpu_writes(const LoopInput& input);

}  // namespace ridge::schedule

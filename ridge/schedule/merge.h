// Making one group of two.
#pragma once

#include "ridge/base/decision.h"
#include "ridge/schedule/fuse.h"

namespace ridge::schedule {

struct Merged {
  Decision decision;
  Group group{};  // where the decision is yes
};

// `first` comes before `second`: nothing in `first` reads a value of `second`.
Merged merge(const Program& program, const Group& first, const Group& second);

}  // namespace ridge::schedule

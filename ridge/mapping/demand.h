// What a kernel in a mapping asks of its device, in numbers that `cost` makes time of.
//
//   cost::Demand d = demand_of(mapping, work, sheet);
//   d.waves      {16, "ceil(2048 tiles / 132 SMs)"}
//   cost::price(d, sheet).price.predicted
#pragma once

#include "ridge/cost/demand.h"
#include "ridge/mapping/mapping.h"
#include "ridge/mapping/work.h"

namespace ridge::mapping {

// In: a mapping that can_run. Error{value} where the sheet lacks its number of SMs.
cost::Demand demand_of(const Mapping& mapping, const Work& work, const cost::Sheet& sheet);

}  // namespace ridge::mapping

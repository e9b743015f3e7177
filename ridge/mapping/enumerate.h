// All mappings that a kernel could have on a device: tiles that its registers and shared memory hold, as
// many stages as fit, parts of k where tiles alone do not fill the SMs.
//
//   Candidates c = enumerate(work, device_limits(sheet));
//   c.kept[0]          product wgmma 128x16x64 cooperative 2 stages 8 group 8
//   c.refused[0]       {mapping, "2 stages fit where 3 are needed"}
//
// Out: every kept mapping passes can_run. In the order of the loops, so equal prices choose alike.
#pragma once

#include <vector>

#include "ridge/mapping/legal.h"

namespace ridge::mapping {

struct RefusedMapping {
  Mapping mapping;
  Decision decision;
};

struct Candidates {
  std::vector<Mapping> kept;
  std::vector<RefusedMapping> refused;  // one for each reason, up to tuning::kListedRefusals
  int refused_count = 0;
};

Candidates enumerate(const Work& work, const loop::DeviceLimits& limits);

}  // namespace ridge::mapping

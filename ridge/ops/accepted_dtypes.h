// Which dtypes an op takes: for its documentation and its tests.
#pragma once

#include <vector>

#include "ridge/ops/record.h"

namespace ridge::ops {

// The complete dtypes its samples can be made in: each is tried on the meta device, so an op made of
// others answers for its parts too. All nine for an op without samples.
std::vector<DType> accepted_dtypes(const OpRecord& record);

}  // namespace ridge::ops

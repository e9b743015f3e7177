// Which dtypes an op takes: for its documentation and its tests.
#pragma once

#include <vector>

#include "ridge/ops/record.h"

namespace ridge::ops {

// The complete dtypes that one of its operands may have. A record with a dtype rule says so itself; a
// composite op takes what its parts take, which its samples find out on the meta device. For an op
// without operands: the dtypes it can be asked for.
std::vector<DType> accepted_dtypes(const OpRecord& record);

}  // namespace ridge::ops

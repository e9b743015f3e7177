// The role that multiplies: its main loop, its epilogue and its stores.
#pragma once

#include "ridge/mapping/passes/product_parts.h"

namespace ridge::mapping {

// Throws Refused where the epilogue cannot be kept in sums.
loop::Statement consumer(const ProductParts& parts);

}  // namespace ridge::mapping

// The role that multiplies: its main loop, its epilogue and its stores.
#pragma once

#include "ridge/mapping/passes/product_parts.h"

namespace ridge::mapping {

// Adds the values of its epilogues to the kernel. Throws Refused where results cannot go through store tiles.
loop::Statement consumer(ProductParts& parts);

}  // namespace ridge::mapping

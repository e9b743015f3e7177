// A case as a graph of one node, compiled and run on a device.
#pragma once

#include "cases.h"

namespace ridge::testing {

// Results are on the CPU.
dispatch::Tensors run_compiled(const OpCase& c, Device device);

}  // namespace ridge::testing

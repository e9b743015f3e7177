// The CPU as a device: host memory behind a cache, streams that are always finished.
//
// It registers itself by being asked for: device_runtime(DeviceKind::cpu) comes here, so nothing
// depends on a static initializer being linked in.
#pragma once

#include "ridge/core/device_runtime.h"

namespace ridge {

// Made at the first call and never destroyed, because tensors in static variables of the host may
// live longer than any static of ours. At exit it gives back what it has cached, and from then on
// what is released to it.
DeviceRuntime& cpu_runtime();
Location cpu_runtime_location();  // where it "registered", for errors

}  // namespace ridge

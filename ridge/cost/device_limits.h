// The limits of a device as its sheet states them.
#pragma once

#include "ridge/cost/sheet.h"
#include "ridge/loop/device_limits.h"

namespace ridge::cost {

// Without a sheet, one SM without shared memory or clusters: what any device has.
loop::DeviceLimits device_limits(const Sheet* sheet);

}  // namespace ridge::cost

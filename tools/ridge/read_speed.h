// How fast a device reads memory: bytes a second of a sum over four times what its last-level cache holds,
// at most 256 MiB, the best of several runs. What a model that reads all of its weights for each token is
// measured by.
#pragma once

#include "ridge/core/device.h"

namespace ridge::command {

// 0 where memory is too short for that.
double read_speed(Device device);

}  // namespace ridge::command

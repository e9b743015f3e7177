// How fast a device reads memory: bytes a second of a sum over more than its caches hold, the best of
// several runs. What a model that reads all of its weights for each token is measured by.
#pragma once

#include "ridge/core/device.h"

namespace ridge::command {

double read_speed(Device device);

}  // namespace ridge::command

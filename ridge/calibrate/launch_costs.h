// What launches cost by themselves: the floor of programs that do nearly nothing.
#pragma once

#include <functional>

#include "ridge/calibrate/cuda_timer.h"

namespace ridge::calibrate {

// Seconds of the host for each of `count` calls of `work`, the device's end included, as a program
// that calls in a loop would see them. The median of several loops.
double seconds_of_each(const CudaTimer& timer, int count, const std::function<void()>& work);

// The driver's launch of an empty kernel, in a loop.
double launch_seconds(const CudaTimer& timer);
// A node of a graph of small kernels that each wait for the one before.
double graph_node_seconds(const CudaTimer& timer);

}  // namespace ridge::calibrate

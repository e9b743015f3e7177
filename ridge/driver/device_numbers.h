// Plain numbers in the memory of a device.
//
//   x * 0.5        0.5 is a 0-d tensor of the CPU; the kernel of the GPU reads it there
//
// Numbers that a thread used lately stay on the device, so that a loop copies each of them once.
#pragma once

#include "ridge/core/tensor.h"

namespace ridge::driver {

// A 0-d tensor of the CPU on the device, in order on the thread's current stream. Its values must be
// left alone: others read the same memory.
Tensor number_on_device(const Tensor& number, Device device);

}  // namespace ridge::driver

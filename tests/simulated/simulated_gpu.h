// A GPU where there is none: tensors of DeviceKind::cuda whose memory is the host's, and programs
// that the loop interpreter runs in their GPU mapping.
//
// Everything above the driver is the real thing: dispatch, scheduling for the sheet of an H200,
// memory, copies. The host cannot read the tensors by accident, and what kernels are launched with
// must start at 16 bytes, as generated code takes for granted.
#pragma once

#include "ridge/core/device.h"

namespace ridge::testing {

inline constexpr Device kSimulated{DeviceKind::cuda, 0};
inline constexpr Device kSecond{DeviceKind::cuda, 1};

// Registers it, once. False where there is a real GPU, which is then left alone.
bool use_simulated_gpu();

// Bytes that were copied between host and devices so far.
int64_t copied_bytes();

}  // namespace ridge::testing

// The first line of a test that needs it.
#define RIDGE_USE_SIMULATED_GPU() \
  if (!::ridge::testing::use_simulated_gpu()) GTEST_SKIP() << "there is a real GPU"

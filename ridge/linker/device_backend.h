// What stands behind a kind of device: the sheet that prices its kernels, and what launches them.
//
// The CPU and CUDA are there from the start. Tests put the loop interpreter in the place of a GPU, so
// that eager calls and compiled programs on tensors of a GPU run where there is none.
#pragma once

#include "ridge/execute/executor.h"
#include "ridge/schedule/plan.h"

namespace ridge::linker {

struct DeviceBackend {
  schedule::Target target = schedule::Target::cpu;
  std::shared_ptr<const cost::Sheet> (*sheet)(Device) = nullptr;
  // Both plans must outlive the executor: the second is the first, linked (link.h).
  std::unique_ptr<execute::Executor> (*make_executor)(const schedule::Plan&,
                                                      const execute::ExecutablePlan&,
                                                      Device) = nullptr;
  // Does a library compute plain products there?
  bool (*has_products)() = nullptr;
};

// Error{device} for a kind that kernels cannot be generated for.
const DeviceBackend& device_backend(DeviceKind kind);
// Before anything runs on the kind of device.
void set_device_backend(DeviceKind kind, const DeviceBackend& backend);

// Whether this build has a code generator for the device.
bool can_build(Device device);

// How a graph is scheduled for a device, but for what only the caller knows.
schedule::Options options_for(Device device);

}  // namespace ridge::linker

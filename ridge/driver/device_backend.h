// What stands behind a kind of device: the sheet that prices its kernels, and what launches them.
//
// The CPU and CUDA are there from the start. Tests put the loop interpreter in the place of a GPU, so
// that eager calls and compiled programs on tensors of a GPU run where there is none.
#pragma once

#include "ridge/driver/executor.h"

namespace ridge::driver {

struct DeviceBackend {
  schedule::Target target = schedule::Target::cpu;
  std::shared_ptr<const cost::Sheet> (*sheet)(Device) = nullptr;
  std::unique_ptr<Executor> (*make_executor)(const schedule::Plan&, Device,
                                             const graph::Graph&) = nullptr;
  // Does a library compute plain products there?
  bool (*has_products)() = nullptr;
};

// Error{device} for a kind that kernels cannot be generated for.
const DeviceBackend& device_backend(DeviceKind kind);
// Before anything runs on the kind of device.
void set_device_backend(DeviceKind kind, const DeviceBackend& backend);

// How a graph is scheduled for a device, but for what only the caller knows.
schedule::Options options_for(Device device);

}  // namespace ridge::driver

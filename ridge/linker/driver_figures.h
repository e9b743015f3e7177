// The sheet of a GPU with what its driver says of the limits that kernels are laid out by.
//
//   sheet h200, and a driver that has 60 SMs (a MIG slice)    ->    h200 with units 60 and units.cluster 54
//
// In: the sheet that was chosen by the name of the device (cost/sheets.h), and what the driver says. Out: the sheet
// itself where both agree; else a copy with the driver's figures, and one warning in a process that names the keys.
// Rates stay those of the sheet. Error{device} for a GPU whose warps or blocks are not as code generation knows them.
#pragma once

#include <memory>

#include "ridge/cost/sheet.h"
#include "ridge/runtime/cuda/device_properties.h"

namespace ridge::linker {

std::shared_ptr<const cost::Sheet> with_driver_figures(
    std::shared_ptr<const cost::Sheet> sheet, const runtime::cuda::DeviceProperties& properties);

}  // namespace ridge::linker

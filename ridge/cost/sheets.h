// Finding sheets: those that come with Ridge, those of the user's folder, and this machine's.
//
//   const Sheet& sheet = find_sheet("h200");
//
// The sheets of ridge/cost/devices are part of the library, so that an installed one needs no
// files. RIDGE_DEVICES names a folder with more (*.sheet); one there hides a shipped one of the
// same name. The sheet of this machine is measured (`ridge devices --calibrate`) and lies in the
// user's cache folder; until then `generic-cpu` stands in, and whoever prints figures says so.
#pragma once

#include <memory>

#include "ridge/cost/sheet.h"

namespace ridge::cost {

// All of them, by name. Error{parse} or Error{io} where one of the user's is broken.
std::vector<std::shared_ptr<const Sheet>> all_sheets();
// Error{unknown_name} with the nearest names.
std::shared_ptr<const Sheet> find_sheet(std::string_view name);

// The sheet whose title begins with the name that a GPU gives itself ("NVIDIA H200"), else that of
// the H200, on which kernels were tuned.
std::shared_ptr<const Sheet> gpu_sheet(std::string_view device_name);

// Where `ridge devices --calibrate` writes the sheet of this machine's CPU.
std::string calibrated_path();
// The calibrated sheet of this machine's CPU, else generic-cpu. Read once in a process.
std::shared_ptr<const Sheet> this_cpu();

}  // namespace ridge::cost

// Finding sheets: those that come with Ridge, those of the user's folder, and this machine's.
//
//   const std::shared_ptr<const Sheet> sheet = find_sheet("h200");
//
// The sheets of ridge/cost/devices are part of the library, so that an installed one needs no
// files. RIDGE_DEVICES names a folder with more (*.sheet); one there hides a shipped one of the
// same name. The sheet of this machine is measured (`ridge devices --calibrate`) and lies in the
// user's cache folder; until then `generic-cpu` stands in, and whoever prints figures says so. It
// also stands in for a sheet that cannot be read or was measured on another processor, which a
// warning names: a compile does not end because of what lies in a cache.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "ridge/cost/sheet.h"

namespace ridge::cost {

// All of them, by name. Error{parse} or Error{io} where one of the user's is broken.
std::vector<std::shared_ptr<const Sheet>> all_sheets();
// Error{unknown_name} with the nearest names.
std::shared_ptr<const Sheet> find_sheet(std::string_view name);

// What `ridge devices --calibrate --device cuda` wrote of a GPU that gives itself this name ("NVIDIA
// H200"), else the shipped or user's sheet that describes it, else, with a warning once in a process, that
// of the H200, on which kernels were tuned.
std::shared_ptr<const Sheet> gpu_sheet(std::string_view device_name);
// The one that describes it and was not measured here; null where there is none.
std::shared_ptr<const Sheet> described_gpu(std::string_view device_name);

// Where `ridge devices --calibrate` writes the sheet of this machine's CPU, and of its GPU.
std::string calibrated_path();
std::string calibrated_gpu_path();
// What was written there; null where nothing was, or where it is of no use here (a warning, once in
// a process, says why).
std::shared_ptr<const Sheet> calibrated_sheet();
std::shared_ptr<const Sheet> calibrated_gpu_sheet();
// The calibrated sheet of this machine's CPU, else generic-cpu. Read once in a process.
std::shared_ptr<const Sheet> this_cpu();

// Logs a warning about a sheet, once in a process: every compile looks for the sheet of its device.
void warn_once(const std::string& text);

// The name of this machine's processor, which tells whether a measured sheet is of this machine.
//
// As the operating system has it, fit for the title of a sheet. Read once in a process.
const std::string& processor_name();

// From the text of /proc/cpuinfo: its model name, else implementer and part (ARM), else words that
// say there is none. Printable ASCII without quotes and `#`, single blanks.
std::string processor_name_in(std::string_view cpuinfo);

// The sheets of ridge/cost/devices, which the build turns into text inside the library
// (cmake/RidgeEmbedText.cmake), so that an installed Ridge needs no files.
struct ShippedSheet {
  std::string_view file;  // "h200.sheet"
  std::string_view text;
};

std::span<const ShippedSheet> shipped_sheets();

}  // namespace ridge::cost

// Measuring this machine: what its caches, memory and arithmetic reach, as a device sheet.
//
//   const cost::Sheet sheet = calibrate_cpu({.on_progress = show});
//   write_sheet(sheet, cost::calibrated_path());
//
// Never runs by itself: a compile that measures would decide differently each time. Data is random,
// probes are interleaved, and a figure whose rounds disagree is measured again; if they still do,
// it is refused, and with it the sheet.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "ridge/calibrate/probe.h"

namespace ridge::calibrate {

struct Options {
  int rounds = 11;
  double most_spread = 0.15;  // relative, beyond which a figure is refused
  int attempts = 6;           // at the figures that disagree
  std::function<void(size_t done, size_t all)> on_progress{};
};

// The sheet "this-cpu". Error{state} names the figures that are in doubt (measure_figures.h), Error{device} where
// there is no code generator to measure with.
cost::Sheet calibrate_cpu(const Options& options);

// Of figures that a measured sheet takes from the datasheet of the same device.
inline constexpr std::string_view kDatasheetSource = "datasheet";

// The sheet "this-gpu", of that GPU: what is measured, what the driver says, and for the rest the
// figures of its datasheet, where there is one. Error{state} as above, Error{device} without a GPU.
cost::Sheet calibrate_gpu(int device, const Options& options);

// The figures of a sheet of this CPU measured again, once each: the machine as it is at this moment.
// Whoever compares times with a sheet measures both in turn, since what a machine reaches may change
// by the minute. What calibration finds of capacities stays as it is: sizes of caches, l3.usable,
// tlb and tlb.bytes.
class Remeasure {
 public:
  explicit Remeasure(cost::Sheet sheet);
  cost::Sheet now() const;  // about a second

 private:
  cost::Sheet sheet_;
  std::vector<Probe> probes_;
};

// All or nothing: a reader sees the old file or the new one. Error{io}; Error{parse} for a sheet
// that could not be read again, of which nothing is written.
void write_sheet(const cost::Sheet& sheet, const std::string& path);

}  // namespace ridge::calibrate

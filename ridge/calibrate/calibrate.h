// Measuring this machine: what its caches, memory and arithmetic reach, as a device sheet.
//
//   Calibration c = calibrate_cpu({.on_progress = show});
//   write_sheet(c.sheet, cost::calibrated_path());
//
// Never runs by itself: a compile that measures would decide differently each time. Data is random,
// probes are interleaved, and a figure whose rounds disagree is measured again; if they still do,
// it is refused, and with it the sheet.
#pragma once

#include <functional>

#include "ridge/calibrate/probe.h"

namespace ridge::calibrate {

struct Options {
  int rounds = 11;
  double most_spread = 0.15;  // relative, beyond which a figure is refused
  int attempts = 6;           // at the figures that disagree
  std::function<void(size_t done, size_t all)> on_progress{};
};

// The sheet "this-cpu". Error{state} names the figures that are too noisy, Error{device} where
// there is no code generator to measure with.
cost::Sheet calibrate_cpu(const Options& options);

// All or nothing: a reader sees the old file or the new one. Error{io}.
void write_sheet(const cost::Sheet& sheet, const std::string& path);

}  // namespace ridge::calibrate

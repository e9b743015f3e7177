// Sweeps as text, JSON and plots.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "ridge/cost/roofline/sweep.h"
#include "svg_plot.h"

namespace ridge::command {

// What of a sweep is not in its points.
struct SweepSubject {
  std::string device, sheet_version, dtype;
  bool is_measured = false;  // the sheet, by calibration
  bool stands_in = false;    // for this machine, which is not calibrated
};

std::string sweep_text(const cost::MatmulSweep& sweep, const SweepSubject& subject);
nlohmann::ordered_json sweep_json(const cost::MatmulSweep& sweep, const SweepSubject& subject);
SvgPlot sweep_plot(const cost::MatmulSweep& sweep, const SweepSubject& subject);

std::string sweep_text(const cost::RepeatSweep& sweep, const SweepSubject& subject);
nlohmann::ordered_json sweep_json(const cost::RepeatSweep& sweep, const SweepSubject& subject);
SvgPlot sweep_plot(const cost::RepeatSweep& sweep, const SweepSubject& subject);

}  // namespace ridge::command

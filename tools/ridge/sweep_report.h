// Sweeps as text, JSON and plots.
#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "or_null.h"
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

// What reports of all sweeps share.

nlohmann::ordered_json json_of(const SweepSubject& subject);
// The first line, and a second one where the figures are not those of the machine that is asked.
std::string head(std::string_view what, const SweepSubject& subject);
std::string notices(const std::vector<std::string>& texts);
// The numbers of those points of a long sweep that a table shows: each half as many again as the one
// before, or a little less, and the last.
std::vector<size_t> shown_points(const std::vector<cost::RepeatPoint>& points);
std::string milliseconds(const std::optional<double>& seconds);

template <class Point>
cost::FlopsUnit most_flops_unit(const std::vector<Point>& points) {
  double most = 0;
  for (const Point& point : points) most = std::max(most, point.flops_per_s);
  return cost::flops_unit(most);
}

}  // namespace ridge::command

#include <fmt/format.h>

#include "ridge/base/text.h"
#include "sweep_report.h"

namespace ridge::command {

using nlohmann::ordered_json;

std::string sweep_text(const cost::RepeatSweep& sweep, const SweepSubject& subject) {
  const cost::FlopsUnit unit = most_flops_unit(sweep.points);
  std::string text = head("a unary operation, repeated on each number", subject);
  text += fmt::format("\n{:>8}{:>12}{:>12}{:>12}{:>12}\n", "repeat", "floor", unit.name, "GB/s",
                      "measured");
  for (const size_t i : shown_points(sweep.points)) {
    const cost::RepeatPoint& point = sweep.points[i];
    text += fmt::format("{:>8.0f}{:>12}{:>12.3f}{:>12.1f}{:>12}\n", point.repeat,
                        milliseconds(point.seconds), point.flops_per_s / unit.per_second,
                        point.bytes_per_s / 1e9, milliseconds(point.measured_s));
  }
  text += fmt::format("\nknee at {:.4g} repeats, {:.4g} flops a number: free until there\n",
                      sweep.knee_repeat, sweep.knee_flops);
  return text + notices(sweep.notices);
}

ordered_json sweep_json(const cost::RepeatSweep& sweep, const SweepSubject& subject) {
  ordered_json json = json_of(subject);
  json["knee_repeat"] = sweep.knee_repeat;
  json["knee_flops_per_number"] = sweep.knee_flops;
  json["peak_flops_per_s"] = sweep.peak_flops_per_s;
  json["peak_bytes_per_s"] = sweep.peak_bytes_per_s;
  ordered_json& points = json["points"] = ordered_json::array();
  for (const cost::RepeatPoint& point : sweep.points) {
    points.push_back({{"repeat", static_cast<int64_t>(point.repeat)},
                      {"floor_s", point.seconds},
                      {"flops_per_s", point.flops_per_s},
                      {"bytes_per_s", point.bytes_per_s},
                      {"measured_s", or_null(point.measured_s)}});
  }
  json["notices"] = sweep.notices;
  return json;
}

SvgPlot sweep_plot(const cost::RepeatSweep& sweep, const SweepSubject& subject) {
  SvgPlot plot{
      .title = concat("a repeated unary operation, ", subject.dtype, ", ", subject.device),
      .x_label = "repeat",
      .y_label = "% of peak",
      .series = {{.name = "flops", .x = {}, .y = {}}, {.name = "bandwidth", .x = {}, .y = {}}},
      .marks = {{sweep.knee_repeat, fmt::format("knee {:.0f}", sweep.knee_repeat)}}};
  SvgSeries measured{.name = "measured flops", .x = {}, .y = {}, .is_line = false};
  for (const cost::RepeatPoint& point : sweep.points) {
    const double flops_share = 100 * point.flops_per_s / sweep.peak_flops_per_s;
    plot.series[0].x.push_back(point.repeat);
    plot.series[0].y.push_back(flops_share);
    plot.series[1].x.push_back(point.repeat);
    plot.series[1].y.push_back(100 * point.bytes_per_s / sweep.peak_bytes_per_s);
    if (!point.measured_s) continue;
    measured.x.push_back(point.repeat);
    measured.y.push_back(flops_share * point.seconds / *point.measured_s);
  }
  if (sweep.points.empty() || sweep.knee_repeat > sweep.points.back().repeat) plot.marks.clear();
  if (!measured.x.empty()) plot.series.push_back(std::move(measured));
  return plot;
}

}  // namespace ridge::command

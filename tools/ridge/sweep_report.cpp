#include "sweep_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "ridge/base/text.h"

namespace ridge::command {

namespace {

using nlohmann::ordered_json;

constexpr const char* kConvention = "an FMA counts as 2 flops";
constexpr size_t kRows = 24;  // of a table, spread over the sweep
constexpr size_t kWorst = 4;  // drops shown of each cause

ordered_json or_null(const std::optional<double>& value) {
  return value ? ordered_json(*value) : ordered_json(nullptr);
}

ordered_json json_of(const SweepSubject& subject) {
  return {{"device", subject.device},
          {"sheet_version", subject.sheet_version},
          {"dtype", subject.dtype},
          {"convention", kConvention}};
}

std::string head(std::string_view what, const SweepSubject& subject) {
  return concat(what, ", ", subject.dtype, ", predicted for ", subject.device, " (sheet of ",
                subject.sheet_version, "; ", kConvention, ")\n");
}

std::string notices(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) out += concat("note: ", text, "\n");
  return out;
}

std::string milliseconds(const std::optional<double>& seconds) {
  return seconds ? to_text(Microseconds(*seconds * 1e6)) : "-";
}

std::string drops_text(const cost::MatmulSweep& sweep) {
  std::string text;
  for (const cost::DropCause cause : {cost::DropCause::tile, cost::DropCause::wave,
                                      cost::DropCause::alignment, cost::DropCause::traffic}) {
    std::vector<cost::MatmulDrop> drops;
    std::ranges::copy_if(sweep.drops, std::back_inserter(drops),
                         [&](const cost::MatmulDrop& drop) { return drop.cause == cause; });
    if (drops.empty()) continue;
    std::ranges::stable_sort(drops, std::greater(), &cost::MatmulDrop::loss);
    const size_t shown = std::min(drops.size(), kWorst);
    const auto describe = [](const cost::MatmulDrop& drop) {
      return fmt::format("{:.0f} ({:.0f} %)", drop.n, 100 * drop.loss);
    };
    text += fmt::format(
        "  {:<10}{:>6}   worst at {}\n", name(cause), drops.size(),
        join(std::vector(drops.begin(), drops.begin() + static_cast<long>(shown)), ", ", describe));
  }
  return text.empty() ? "  none\n" : text;
}

}  // namespace

std::string sweep_text(const cost::MatmulSweep& sweep, const SweepSubject& subject) {
  std::string text = head("square matmuls N x N x N", subject);
  text += fmt::format("\n{:>8}{:>10}{:>10}{:>9}{:>7}{:>7}{:>12}\n", "N", "TFLOP/s", "time", "tile",
                      "tiles", "waves", "measured");
  const size_t stride = std::max<size_t>(1, sweep.points.size() / kRows);
  for (size_t i = 0; i < sweep.points.size(); i += stride) {
    const cost::MatmulPoint& point = sweep.points[i];
    text += fmt::format(
        "{:>8.0f}{:>10.1f}{:>10}{:>9}{:>7.0f}{:>7}{:>12}\n", point.n, point.flops_per_s / 1e12,
        milliseconds(point.predicted_s), point.tiles > 0 ? to_text(point.tile) : "-", point.tiles,
        point.waves ? cost::whole_text(*point.waves) : "-", milliseconds(point.measured_s));
  }
  text += "\nby the largest power of two that divides N (64: or more)\n";
  for (const cost::DivisorClass& one : sweep.classes) {
    text += fmt::format("  {:>3.0f}{:>10.1f} TFLOP/s, mean of {:.0f}\n", one.divisor,
                        one.mean_flops_per_s / 1e12, one.points);
  }
  text += "\ndrops of 1 % and more from one N to the next, by cause\n" + drops_text(sweep);
  return text + notices(sweep.notices);
}

ordered_json sweep_json(const cost::MatmulSweep& sweep, const SweepSubject& subject) {
  ordered_json json = json_of(subject);
  json["peak_flops_per_s"] = sweep.peak_flops_per_s;
  ordered_json& points = json["points"] = ordered_json::array();
  for (const cost::MatmulPoint& point : sweep.points) {
    points.push_back({{"n", static_cast<int64_t>(point.n)},
                      {"predicted_s", point.predicted_s},
                      {"flops_per_s", point.flops_per_s},
                      {"divisor", static_cast<int64_t>(point.divisor)},
                      {"tile", point.tiles > 0 ? ordered_json(to_text(point.tile)) : nullptr},
                      {"tiles", static_cast<int64_t>(point.tiles)},
                      {"waves", or_null(point.waves)},
                      {"measured_s", or_null(point.measured_s)}});
  }
  ordered_json& classes = json["classes"] = ordered_json::array();
  for (const cost::DivisorClass& one : sweep.classes) {
    classes.push_back({{"divisor", static_cast<int64_t>(one.divisor)},
                       {"points", static_cast<int64_t>(one.points)},
                       {"mean_flops_per_s", one.mean_flops_per_s}});
  }
  ordered_json& drops = json["drops"] = ordered_json::array();
  for (const cost::MatmulDrop& drop : sweep.drops) {
    drops.push_back(
        {{"n", static_cast<int64_t>(drop.n)}, {"cause", name(drop.cause)}, {"loss", drop.loss}});
  }
  json["notices"] = sweep.notices;
  return json;
}

SvgPlot sweep_plot(const cost::MatmulSweep& sweep, const SweepSubject& subject) {
  SvgPlot plot{.title = concat("N x N x N matmul, ", subject.dtype, ", ", subject.device),
               .x_label = "N",
               .y_label = "TFLOP/s",
               .series = {},
               .marks = {}};
  for (const cost::DivisorClass& one : sweep.classes) {
    SvgSeries series{
        .name = one.divisor == 1 ? "odd N" : concat("by ", cost::whole_text(one.divisor)),
        .x = {},
        .y = {},
        .is_line = false};
    for (const cost::MatmulPoint& point : sweep.points) {
      if (point.divisor != one.divisor) continue;
      series.x.push_back(point.n);
      series.y.push_back(point.flops_per_s / 1e12);
    }
    plot.series.push_back(std::move(series));
  }
  SvgSeries measured{.name = "measured", .x = {}, .y = {}};
  for (const cost::MatmulPoint& point : sweep.points) {
    if (!point.measured_s) continue;
    measured.x.push_back(point.n);
    measured.y.push_back(2 * std::pow(point.n, 3) / *point.measured_s / 1e12);
  }
  if (!measured.x.empty()) plot.series.push_back(std::move(measured));
  return plot;
}

std::string sweep_text(const cost::RepeatSweep& sweep, const SweepSubject& subject) {
  std::string text = head("a unary operation, repeated on each number", subject);
  text += fmt::format("\n{:>8}{:>12}{:>12}{:>12}{:>12}\n", "repeat", "time", "TFLOP/s", "GB/s",
                      "measured");
  // Doubling rows: the knee lies anywhere between a few and hundreds.
  double next = 0;
  for (const cost::RepeatPoint& point : sweep.points) {
    const bool is_last = &point == &sweep.points.back();
    if (point.repeat < next && !is_last) continue;
    next = point.repeat * std::sqrt(2.0);
    text += fmt::format("{:>8.0f}{:>12}{:>12.3f}{:>12.1f}{:>12}\n", point.repeat,
                        milliseconds(point.seconds), point.flops_per_s / 1e12,
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
                      {"predicted_s", point.seconds},
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

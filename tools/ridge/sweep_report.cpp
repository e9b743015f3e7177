#include "sweep_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "ridge/base/text.h"

namespace ridge::command {

namespace {

using nlohmann::ordered_json;

constexpr size_t kRows = 24;  // of a table, spread over the sweep
constexpr size_t kWorst = 4;  // drops shown of each cause

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
      return fmt::format("{:.0f} ({:.1f} %)", drop.n, 100 * drop.loss);
    };
    text += fmt::format(
        "  {:<10}{:>6}   worst at {}\n", name(cause), drops.size(),
        join(std::vector(drops.begin(), drops.begin() + static_cast<long>(shown)), ", ", describe));
  }
  return text.empty() ? "  none\n" : text;
}

cost::FlopsUnit unit_of(const cost::MatmulSweep& sweep) { return most_flops_unit(sweep.points); }

}  // namespace

std::string sweep_text(const cost::MatmulSweep& sweep, const SweepSubject& subject) {
  const cost::FlopsUnit unit = unit_of(sweep);
  std::string text = head("square matmuls N x N x N", subject);
  text += fmt::format("\n{:>8}{:>10}{:>10}{:>11}{:>9}{:>7}{:>7}{:>12}\n", "N", unit.name, "floor",
                      "predicted", "tile", "tiles", "waves", "measured");
  const size_t stride = std::max<size_t>(1, sweep.points.size() / kRows);
  for (size_t i = 0; i < sweep.points.size(); i += stride) {
    const cost::MatmulPoint& point = sweep.points[i];
    text += fmt::format(
        "{:>8.0f}{:>10.1f}{:>10}{:>11}{:>9}{:>7.0f}{:>7}{:>12}\n", point.n,
        point.flops_per_s / unit.per_second, milliseconds(point.floor_s),
        milliseconds(point.predicted_s), point.tiles > 0 ? to_text(point.tile) : "-", point.tiles,
        point.waves ? cost::whole_text(*point.waves) : "-", milliseconds(point.measured_s));
  }
  text += "\nby the largest power of two that divides N (64: or more)\n";
  for (const cost::DivisorClass& one : sweep.classes) {
    text += fmt::format("  {:>3.0f}{:>10.1f} {}, mean of {:.0f}\n", one.divisor,
                        one.mean_flops_per_s / unit.per_second, unit.name, one.points);
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
                      {"floor_s", point.floor_s},
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
  const cost::FlopsUnit unit = unit_of(sweep);
  SvgPlot plot{.title = concat("N x N x N matmul, ", subject.dtype, ", ", subject.device),
               .x_label = "N",
               .y_label = std::string(unit.name),
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
      series.y.push_back(point.flops_per_s / unit.per_second);
    }
    plot.series.push_back(std::move(series));
  }
  SvgSeries measured{.name = "measured", .x = {}, .y = {}};
  for (const cost::MatmulPoint& point : sweep.points) {
    if (!point.measured_s) continue;
    measured.x.push_back(point.n);
    measured.y.push_back(2 * std::pow(point.n, 3) / *point.measured_s / unit.per_second);
  }
  if (!measured.x.empty()) plot.series.push_back(std::move(measured));
  return plot;
}

using nlohmann::ordered_json;

namespace {

constexpr const char* kFlopsConvention = "an FMA counts as 2 flops";

}  // namespace

ordered_json json_of(const SweepSubject& subject) {
  return {{"device", subject.device},
          {"sheet_version", subject.sheet_version},
          {"is_measured_sheet", subject.is_measured},
          {"stands_in", subject.stands_in},
          {"dtype", subject.dtype},
          {"convention", kFlopsConvention}};
}

std::string head(std::string_view what, const SweepSubject& subject) {
  return concat(what, ", ", subject.dtype, ", for ", subject.device, " (sheet of ",
                subject.sheet_version, "; ", kFlopsConvention, ")\n",
                subject.stands_in ? concat("this machine is not calibrated: figures of ",
                                           subject.device, "; run ridge devices --calibrate\n")
                                  : "");
}

std::string notices(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) out += concat("note: ", text, "\n");
  return out;
}

std::vector<size_t> shown_points(const std::vector<cost::RepeatPoint>& points) {
  // The knee lies anywhere between a few and hundreds.
  std::vector<size_t> shown;
  double next = 0;
  for (size_t i = 0; i < points.size(); ++i) {
    const bool is_last = i + 1 == points.size();
    if (points[i].repeat < next && !is_last) continue;
    next = points[i].repeat * std::sqrt(2.0);
    shown.push_back(i);
  }
  return shown;
}

std::string milliseconds(const std::optional<double>& seconds) {
  return seconds ? to_text(Microseconds(*seconds * 1e6)) : "-";
}

}  // namespace ridge::command

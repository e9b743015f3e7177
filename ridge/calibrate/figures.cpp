#include "ridge/calibrate/figures.h"

#include <chrono>
#include <cstdlib>
#include <ctime>

#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "ridge/calibrate/doubt.h"

namespace ridge::calibrate {

std::string today() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[16];
  std::strftime(text, sizeof text, "%Y-%m-%d", &utc);
  return text;
}

std::vector<Measured> measure_figures(const std::vector<Probe>& probes, const CpuShape& shape,
                                      const Options& options) {
  std::vector<Measured> result = run(probes, options.rounds, options.on_progress);
  for (int attempt = 1; attempt < options.attempts; ++attempt) {
    std::vector<Probe> again;
    std::vector<size_t> places;
    for (size_t i = 0; i < probes.size(); ++i) {
      if (doubt(result[i], result, shape, options.most_spread).empty()) continue;
      again.push_back(probes[i]);
      places.push_back(i);
    }
    if (again.empty()) break;
    const std::vector<Measured> more = run(again, options.rounds, options.on_progress);
    for (size_t i = 0; i < places.size(); ++i) {
      Measured& kept = result[places[i]];
      const bool was_stable = is_stable(kept, options.most_spread);
      if (was_stable || more[i].spread < kept.spread) kept = more[i];
    }
  }
  return result;
}

void refuse_doubts(const std::vector<Measured>& measured, const CpuShape& shape,
                   const Options& options) {
  std::vector<std::string> doubts;
  for (const Measured& m : measured) {
    const std::string why = doubt(m, measured, shape, options.most_spread);
    if (!why.empty()) doubts.push_back(concat(m.key, ": ", why));
  }
  double load[1] = {0};
  const bool has_load = getloadavg(load, 1) == 1;
  RIDGE_CHECK(
      doubts.empty(), .code = ErrorCode::state, .op = "calibrate",
      .expected = "a machine quiet enough for measurements to agree",
      .given = concat(join(doubts, "; "), has_load ? concat("; load average ", load[0]) : ""),
      .hint = "stop what else runs on this machine, and try again");
}

void add_figure(cost::Sheet& sheet, const std::string& key, double value, cost::Unit unit,
                double spread, std::string_view source) {
  cost::Figure figure;
  figure.value = value;
  figure.unit = unit;
  figure.source = source;
  figure.spread = spread;
  if (key.starts_with("matrix.")) figure.accumulate = "f32";
  sheet.figures[key] = figure;
}

}  // namespace ridge::calibrate

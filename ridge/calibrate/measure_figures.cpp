#include "ridge/calibrate/measure_figures.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>

#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "ridge/cost/units.h"

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

namespace {

// What all threads must reach of the rate of one, times the cores where nothing is shared. Threads
// beyond the cores may add nothing. Guesses: a core that is taken away halves what two do, while
// clocks of a processor with many cores fall by up to 40 % when all of them work.
constexpr double kLeastGain = 0.7;
constexpr double kLeastGainOfMany = 0.5;
constexpr int kManyCores = 8;  // more than these

// What each core has for itself: all of them together do several times what one does.
bool is_private(std::string_view key) {
  for (const std::string_view shared : {"l3.", "dram.", "gather.l3", "gather.dram"}) {
    if (key.starts_with(shared)) return false;
  }
  return true;
}

double least_gain(std::string_view key, const CpuShape& shape) {
  if (!is_private(key)) return kLeastGain;
  return shape.cores * (shape.cores > kManyCores ? kLeastGainOfMany : kLeastGain);
}

}  // namespace

bool is_stable(const Measured& measured, double most_spread) {
  return measured.spread <= most_spread * measured.leniency;
}

std::string doubt(const Measured& measured, const std::vector<Measured>& all, const CpuShape& shape,
                  double most_spread) {
  const cost::Limits possible = cost::limits(measured.unit);
  if (!(measured.median >= possible.least && measured.median <= possible.most)) {
    return concat(measured.median, " ", cost::base_name(measured.unit),
                  ", which is out of the question");
  }
  if (!is_stable(measured, most_spread)) {
    return concat("a spread of ", static_cast<int>(100 * std::min(measured.spread, 9.99)), " %");
  }
  for (const Measured& one : all) {
    if (one.key != measured.key + ".one" || !(one.median > 0)) continue;
    const double times = measured.median / one.median;
    if (times < least_gain(measured.key, shape)) {
      return concat(shape.threads, " threads do ", static_cast<int>(100 * times),
                    " % of what one does");
    }
  }
  return {};
}

}  // namespace ridge::calibrate

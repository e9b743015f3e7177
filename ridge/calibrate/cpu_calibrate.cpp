// Measuring a CPU and making a sheet of it; left out where there is no code generator.
#include <chrono>
#include <cstdlib>
#include <ctime>

#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "ridge/calibrate/calibrate.h"
#include "ridge/calibrate/cpu_probes.h"
#include "ridge/calibrate/doubt.h"
#include "ridge/cost/sheet_processor.h"

namespace ridge::calibrate {
namespace {

constexpr std::string_view kSource = "measured";

std::string today() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[16];
  std::strftime(text, sizeof text, "%Y-%m-%d", &utc);
  return text;
}

// Again what is in doubt: whatever disturbed it may be over. Of two, the one that spreads less stays.
std::vector<Measured> measure(const std::vector<Probe>& probes, const CpuShape& shape,
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
      const bool was_steady = is_steady(kept, options.most_spread);
      if (was_steady || more[i].spread < kept.spread) kept = more[i];
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

void add(cost::Sheet& sheet, const std::string& key, double value, cost::Unit unit, double spread,
         std::string_view source) {
  cost::Figure figure;
  figure.value = value;
  figure.unit = unit;
  figure.source = source;
  figure.spread = spread;
  if (key.starts_with("matrix.")) figure.accumulate = "f32";
  sheet.figures[key] = figure;
}

}  // namespace

cost::Sheet calibrate_cpu(const Options& options) {
  const CpuShape shape = this_cpu_shape();
  std::vector<Probe> probes;
  add_memory_probes(probes, shape);
  add_capacity_probes(probes, shape);
  add_arithmetic_probes(probes, shape);
  add_overhead_probes(probes, shape);
  const std::vector<Measured> measured = measure(probes, shape, options);
  refuse_doubts(measured, shape, options);

  cost::Sheet sheet;
  sheet.name = "this-cpu";
  sheet.title = cost::processor_name();
  sheet.kind = cost::DeviceKind::cpu;
  sheet.is_measured = true;
  sheet.sources.push_back({std::string(kSource), "ridge devices --calibrate", today()});
  sheet.sources.push_back({"system", "what the operating system says", today()});
  for (const Measured& m : measured) add(sheet, m.key, m.median, m.unit, m.spread, kSource);
  add(sheet, "units", shape.threads, cost::Unit::count, 0, "system");
  add(sheet, "lanes", shape.lanes, cost::Unit::count, 0, "system");
  add(sheet, "line", shape.line, cost::Unit::bytes, 0, "system");
  add(sheet, "l1.bytes", shape.l1, cost::Unit::bytes, 0, "system");
  add(sheet, "l2.bytes", shape.l2, cost::Unit::bytes, 0, "system");
  add(sheet, "l3.bytes", shape.l3, cost::Unit::bytes, 0, "system");
  sheet.version = cost::measured_version(sheet, today());
  return sheet;
}

Remeasure::Remeasure(cost::Sheet sheet) : sheet_(std::move(sheet)) {
  const CpuShape shape = this_cpu_shape();
  add_memory_probes(probes_, shape);
  add_arithmetic_probes(probes_, shape);
  add_overhead_probes(probes_, shape);
}

cost::Sheet Remeasure::now() const {
  cost::Sheet result = sheet_;
  for (const Probe& probe : probes_) result.figures[probe.key].value = probe.measure();
  result.version = cost::measured_version(result, today());
  return result;
}

}  // namespace ridge::calibrate

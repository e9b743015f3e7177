// Measuring a CPU and making a sheet of it; left out where there is no code generator.
#include "ridge/calibrate/calibrate.h"
#include "ridge/calibrate/cpu_probes.h"
#include "ridge/calibrate/measure_figures.h"
#include "ridge/cost/sheets.h"

namespace ridge::calibrate {

cost::Sheet calibrate_cpu(const Options& options) {
  const CpuShape said = this_cpu_shape(), shape = checked_shape(said);
  std::vector<Probe> probes;
  add_memory_probes(probes, shape);
  add_capacity_probes(probes, shape);
  add_arithmetic_probes(probes, shape);
  add_overhead_probes(probes, shape);
  const std::vector<Measured> measured = measure_figures(probes, shape, options);
  refuse_doubts(measured, shape, options);

  cost::Sheet sheet;
  sheet.name = "this-cpu";
  sheet.title = cost::processor_name();
  sheet.kind = cost::SheetKind::cpu;
  sheet.is_measured = true;
  sheet.sources.push_back({std::string(kMeasuredSource), "ridge devices --calibrate", today()});
  sheet.sources.push_back({"system", "what the operating system says", today()});
  for (const Measured& m : measured)
    add_figure(sheet, m.key, m.median, m.unit, m.spread, kMeasuredSource);
  add_figure(sheet, "units", shape.threads, cost::Unit::count, 0, "system");
  add_figure(sheet, "lanes", shape.lanes, cost::Unit::count, 0, "system");
  add_figure(sheet, "line", shape.line, cost::Unit::bytes, 0, "system");
  add_figure(sheet, "l1.bytes", shape.l1, cost::Unit::bytes, 0, "system");
  const auto add_cache = [&](const char* key, double bytes, double of_system) {
    add_figure(sheet, key, bytes, cost::Unit::bytes, 0,
               bytes == of_system ? std::string_view("system") : kMeasuredSource);
  };
  add_cache("l2.bytes", shape.l2, said.l2);
  add_cache("l3.bytes", shape.l3, said.l3);
  sheet.version = cost::measured_version(sheet, today());
  return sheet;
}

Remeasure::Remeasure(cost::Sheet sheet) : sheet_(std::move(sheet)) {
  CpuShape shape = this_cpu_shape();
  shape.l2 = sheet_.need("l2.bytes", "measuring again");
  shape.l3 = sheet_.need("l3.bytes", "measuring again");
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

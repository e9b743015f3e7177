#include "ridge/calibrate/calibrate.h"

#include "ridge/base/error.h"
#include "ridge/base/files.h"
#include "ridge/calibrate/cpu_probes.h"
#include "ridge/calibrate/gpu_probes.h"
#include "ridge/calibrate/measure_figures.h"
#include "ridge/cost/sheets.h"
#include "ridge/runtime/cuda/device_properties.h"
#include "ridge/runtime/cuda/driver_api.h"

namespace ridge::calibrate {

#if !RIDGE_HAS_LLVM

cost::Sheet calibrate_cpu(const Options&) {
  throw Error({.code = ErrorCode::device,
               .op = "calibrate",
               .expected = "a build with LLVM, whose kernels do the measuring",
               .given = "one without"});
}

Remeasure::Remeasure(cost::Sheet sheet) : sheet_(std::move(sheet)) {}

cost::Sheet Remeasure::now() const { return sheet_; }

#endif

void write_sheet(const cost::Sheet& sheet, const std::string& path) {
  const std::string text = to_text(sheet);
  cost::parse_sheet(text, path);  // whoever compiles will do so, and must not be the first
  write_file_atomically(path, text);
}

// Measuring a CPU and making a sheet of it; left out where there is no code generator.

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
  sheet.kind = cost::DeviceKind::cpu;
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

// Measuring a GPU and making a sheet of it.

namespace {

void add_properties(cost::Sheet& sheet, const runtime::cuda::DeviceProperties& properties) {
  using cost::Unit;
  const auto add = [&](const char* key, double value, Unit unit) {
    if (value > 0) add_figure(sheet, key, value, unit, 0, "driver");
  };
  add("units", properties.multiprocessors, Unit::count);
  add("lanes", properties.warp_size, Unit::count);
  add("registers", properties.registers_per_multiprocessor, Unit::count);
  add("threads", properties.threads_per_multiprocessor, Unit::count);
  add("clock", 1e3 * properties.clock_khz, Unit::hertz);
  add("dram.bytes", static_cast<double>(properties.memory_bytes), Unit::bytes);
  add("l2.bytes", static_cast<double>(properties.l2_bytes), Unit::bytes);
  add("shared.bytes", static_cast<double>(properties.shared_bytes_per_multiprocessor), Unit::bytes);
}

// What is not measured, such as rates of matrix units: without it programs could not be planned.
void add_described(cost::Sheet& sheet, const cost::Sheet& datasheet) {
  for (const auto& [key, figure] : datasheet.figures) {
    const auto [place, is_new] = sheet.figures.try_emplace(key, figure);
    if (is_new) place->second.source = std::string(kDatasheetSource);
  }
}

}  // namespace

cost::Sheet calibrate_gpu(int device, const Options& options) {
  RIDGE_CHECK(runtime::cuda::cuda_is_available(), .code = ErrorCode::device, .op = "calibrate",
              .expected = "an NVIDIA GPU", .given = runtime::cuda::cuda_availability().reason);
  const runtime::cuda::DeviceProperties& properties = runtime::cuda::device_properties(device);
  GpuProbing probing(device);
  std::vector<Probe> probes;
  add_gpu_memory_probes(probes, probing);
  add_gpu_arithmetic_probes(probes, probing);
  add_gpu_overhead_probes(probes, probing);
  add_gpu_library_probes(probes, probing);
  const std::vector<Measured> measured = measure_figures(probes, {}, options);
  refuse_doubts(measured, {}, options);

  cost::Sheet sheet;
  sheet.name = "this-gpu";
  sheet.title = properties.name;
  sheet.kind = cost::DeviceKind::gpu;
  sheet.is_measured = true;
  sheet.sources.push_back(
      {std::string(kMeasuredSource), "ridge devices --calibrate --device cuda", today()});
  sheet.sources.push_back({"driver", "what the CUDA driver says", today()});
  for (const Measured& m : measured) {
    add_figure(sheet, m.key, m.median, m.unit, m.spread, kMeasuredSource);
  }
  add_properties(sheet, properties);
  if (const auto datasheet = cost::described_gpu(properties.name)) {
    sheet.of = datasheet->name;
    sheet.sources.push_back({std::string(kDatasheetSource),
                             "not measured: the sheet " + datasheet->name, datasheet->version});
    add_described(sheet, *datasheet);
  }
  sheet.version = cost::measured_version(sheet, today());
  return sheet;
}

}  // namespace ridge::calibrate

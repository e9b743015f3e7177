#include "ridge/calibrate/calibrate.h"

#include "ridge/base/error.h"
#include "ridge/base/files.h"
#include "ridge/calibrate/gpu_probes.h"
#include "ridge/calibrate/measure_figures.h"
#include "ridge/cost/sheets.h"
#include "ridge/runtime/cuda/device_properties.h"
#include "ridge/runtime/cuda/driver_api.h"

namespace ridge::calibrate {

#if !RIDGE_HAS_LLVM  // else they are in cpu_calibrate.cpp

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
  sheet.kind = cost::SheetKind::gpu;
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

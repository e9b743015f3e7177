// Measuring a GPU and making a sheet of it.
#include "ridge/base/error.h"
#include "ridge/calibrate/calibrate.h"
#include "ridge/calibrate/figures.h"
#include "ridge/calibrate/gpu_probes.h"
#include "ridge/cost/sheets.h"
#include "ridge/runtime/cuda/device_facts.h"
#include "ridge/runtime/cuda/driver_api.h"

namespace ridge::calibrate {
namespace {

void add_facts(cost::Sheet& sheet, const runtime::cuda::DeviceFacts& facts) {
  using cost::Unit;
  const auto add = [&](const char* key, double value, Unit unit) {
    if (value > 0) add_figure(sheet, key, value, unit, 0, "driver");
  };
  add("units", facts.multiprocessors, Unit::count);
  add("lanes", facts.warp_size, Unit::count);
  add("registers", facts.registers_per_multiprocessor, Unit::count);
  add("threads", facts.threads_per_multiprocessor, Unit::count);
  add("clock", 1e3 * facts.clock_khz, Unit::hertz);
  add("dram.bytes", static_cast<double>(facts.memory_bytes), Unit::bytes);
  add("l2.bytes", static_cast<double>(facts.l2_bytes), Unit::bytes);
  add("shared.bytes", static_cast<double>(facts.shared_bytes_per_multiprocessor), Unit::bytes);
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
  const runtime::cuda::DeviceFacts& facts = runtime::cuda::device_facts(device);
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
  sheet.title = facts.name;
  sheet.kind = cost::DeviceKind::gpu;
  sheet.is_measured = true;
  sheet.sources.push_back(
      {std::string(kMeasuredSource), "ridge devices --calibrate --device cuda", today()});
  sheet.sources.push_back({"driver", "what the CUDA driver says", today()});
  for (const Measured& m : measured) {
    add_figure(sheet, m.key, m.median, m.unit, m.spread, kMeasuredSource);
  }
  add_facts(sheet, facts);
  if (const auto datasheet = cost::described_gpu(facts.name)) {
    sheet.of = datasheet->name;
    sheet.sources.push_back({std::string(kDatasheetSource),
                             "not measured: the sheet " + datasheet->name, datasheet->version});
    add_described(sheet, *datasheet);
  }
  sheet.version = cost::measured_version(sheet, today());
  return sheet;
}

}  // namespace ridge::calibrate

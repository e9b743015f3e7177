#include "gpu_bench_run.h"

#include "ridge/base/knobs.h"
#include "ridge/base/text.h"
#include "ridge/calibrate/cuda_kernels.h"
#include "ridge/cost/sheets.h"
#include "ridge/driver/entry.h"
#include "ridge/linker/link.h"
#include "ridge/runtime/cuda/cuda_runtime.h"
#include "ridge/runtime/cuda/device_properties.h"
#include "ridge/runtime/cuda/driver_api.h"

namespace ridge::command {

void need_gpu(const char* command) {
  RIDGE_CHECK(runtime::cuda::cuda_is_available(), .code = ErrorCode::device, .op = command,
              .expected = "an NVIDIA GPU", .given = runtime::cuda::cuda_availability().reason);
}

std::string first_gpu_name() { return runtime::cuda::device_properties(0).name; }

std::shared_ptr<const cost::Sheet> first_gpu_sheet() {
  return linker::device_backend(DeviceKind::cuda).sheet({DeviceKind::cuda, 0});
}

GpuBench::GpuBench(std::shared_ptr<const cost::Sheet> sheet)
    : sheet_(std::move(sheet)), timer_((need_gpu("bench"), 0)), sweep_(timer_) {}

double GpuBench::copy_rate(int64_t bytes) {
  return 2 * static_cast<double>(bytes) / sweep_.fastest({{bytes}, {bytes}}).seconds;
}

ReadyCase GpuBench::prepare(const GpuCase& gpu_case) {
  if (gpu_case.make) return gpu_case.make(timer_.device());
  if (!gpu_case.small.empty()) check_small(gpu_case, timer_.device());
  calibrate::RandomFill random(timer_.device());
  ReadyCase ready;
  for (const BenchInput& input : gpu_case.inputs) {
    ready.inputs.push_back(random.tensor(input.shape, input.dtype, input.below));
  }
  const auto compiled = compile(gpu_case.function, {.name = gpu_case.name});
  ready.outputs = compiled(ready.inputs);
  ready.entry = compiled.programs().back();
  if (gpu_case.has_independent_rows) check_rows(gpu_case, ready.inputs, ready.outputs);
  ready.outputs.clear();
  ready.run = [compiled, inputs = ready.inputs] { static_cast<void>(compiled(inputs)); };
  return ready;
}

GpuResult GpuBench::timed(const GpuCase& gpu_case) {
  GpuResult result{.name = gpu_case.name};
  if (gpu_case.measure) {
    const HostTimes times = gpu_case.measure(timer_);
    result.seconds = times.ours;
    result.floor = times.floor;
    result.note = times.note;
    return result;
  }
  const bool has_arrays = !gpu_case.arrays.read.empty() || !gpu_case.arrays.written.empty();
  if (has_arrays) {
    result.bytes = gpu_case.arrays.counted().bytes();
    result.floor = sweep_.fastest(gpu_case.arrays).seconds;
  }
  const ReadyCase ready = prepare(gpu_case);
  const calibrate::Measured measured = timer_.time(ready.run);
  result.seconds = measured.median;
  result.spread = measured.spread;
  const driver::CompiledGraph& compiled = *ready.entry->compiled;
  result.kernels = compiled.program()->kernel_count();
  const GpuPrediction predicted = predict_cold(compiled.plan(), compiled.graph(), sheet_);
  result.predicted = predicted.seconds;
  result.bound = predicted.bound;
  if (!has_arrays) result.floor = predicted.floor;
  return result;
}

GpuResult GpuBench::run(const GpuCase& gpu_case) {
  GpuResult result{.name = gpu_case.name};
  try {
    result = timed(gpu_case);
  } catch (const Error& error) {
    result.error = error.what();
  }
  // What one case took is not left to the others.
  runtime::cuda::cuda_runtime().allocator(timer_.device()).trim();
  return result;
}

}  // namespace ridge::command

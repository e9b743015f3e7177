#include <fmt/format.h>

#include <numeric>

#include "gpu_bench_run.h"
#include "ridge/capture/capture.h"
#include "ridge/cost/gpu_memory.h"
#include "ridge/graph/pass.h"
#include "ridge/linker/link.h"
#include "ridge/report/explain.h"
#include "ridge/report/kernel_table.h"

namespace ridge::command {
namespace {

// Of data: more than any cache holds.
constexpr double kColdBytes = 1e12;

double plain_seconds(const calibrate::TouchedArrays& arrays, const cost::Sheet& sheet) {
  const auto bytes_of = [](const std::vector<int64_t>& each) {
    return std::accumulate(each.begin(), each.end(), 0.0);
  };
  cost::Figures figures(sheet);
  const cost::Context cold{.resident = kColdBytes};
  const cost::GpuMemorySeconds memory =
      cost::gpu_memory_seconds(bytes_of(arrays.read), bytes_of(arrays.written), figures, cold);
  return memory.read + memory.written + cost::gpu_fixed_seconds(true, figures, cold);
}

GpuPrediction predict(const GpuCase& gpu_case, const std::shared_ptr<const cost::Sheet>& sheet) {
  // Nobody writes them, so they take no memory.
  Tensors inputs;
  for (const BenchInput& input : gpu_case.inputs) {
    inputs.push_back(Tensor::empty(input.shape, input.dtype));
  }
  graph::PassContext context;
  const graph::Graph graph =
      graph::run_passes(capture::capture(gpu_case.function, {.name = gpu_case.name}, inputs).graph,
                        graph::standard_passes(), context);
  recompute::PlannedGraph planned = recompute::planned_for(graph, linker::options_for(sheet));
  return predict_cold(std::move(planned.plan), planned.graph, sheet);
}

// What a case is judged by: the plain kernel, where it has arrays for one.
double least_seconds(const GpuCase& gpu_case, const GpuPrediction& found,
                     const cost::Sheet& sheet) {
  const bool has_arrays = !gpu_case.arrays.read.empty() || !gpu_case.arrays.written.empty();
  return has_arrays ? plain_seconds(gpu_case.arrays.counted(), sheet) : found.floor;
}

}  // namespace

GpuPrediction predict_cold(schedule::Plan plan, const graph::Graph& graph,
                           std::shared_ptr<const cost::Sheet> sheet) {
  plan.resident = kColdBytes;
  plan.sheet = std::move(sheet);
  GpuPrediction result;
  double slowest = 0;
  for (const report::KernelRow& row : report::rows_of(plan, graph)) {
    ++result.kernels;
    if (!row.price) continue;
    result.seconds += row.price->predicted;
    result.floor += row.price->floor;
    if (row.price->predicted < slowest) continue;
    slowest = row.price->predicted;
    result.bound = name(row.price->limiter);
  }
  return result;
}

nlohmann::json predict_gpu_cases(const std::vector<GpuCase>& cases,
                                 const std::shared_ptr<const cost::Sheet>& sheet, bool as_json) {
  nlohmann::json list = nlohmann::json::array();
  if (!as_json) {
    fmt::print("{:<56}{:>12}{:>12}{:>8}{:>8}  {}\n", "case", "predicted us", "floor us", "floor",
               "kernels", "bound");
  }
  for (const GpuCase& gpu_case : cases) {
    if (!gpu_case.function) {
      fmt::print(stderr, "{} is timed only\n", gpu_case.name);
      continue;
    }
    const GpuPrediction found = predict(gpu_case, sheet);
    const double floor = least_seconds(gpu_case, found, *sheet);
    list.push_back({{"case", gpu_case.name},
                    {"device", sheet->name},
                    {"predicted_us", 1e6 * found.seconds},
                    {"floor_us", 1e6 * floor},
                    {"fraction", floor / found.seconds},
                    {"kernels", found.kernels},
                    {"bound", found.bound},
                    {"peers", nlohmann::json::object()}});
    if (as_json) continue;
    fmt::print("{:<56}{:>12.2f}{:>12.2f}{:>7.1f}%{:>8}  {}\n", gpu_case.name, 1e6 * found.seconds,
               1e6 * floor, 100 * floor / found.seconds, found.kernels, found.bound);
    std::fflush(stdout);
  }
  if (!as_json)
    fmt::print("On the sheet {} ({}), predictions only.\n", sheet->name, sheet->version);
  return list;
}

}  // namespace ridge::command

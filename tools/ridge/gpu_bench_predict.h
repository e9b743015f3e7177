// What the model says of the cases of `ridge bench 'gpu.*'`: beside their times, or with no GPU at all.
#pragma once

#include <nlohmann/json.hpp>

#include "gpu_bench_cases.h"
#include "ridge/cost/sheet.h"

namespace ridge::command {

struct GpuPrediction {
  double seconds = 0;
  double floor = 0;  // of all its kernels, by the sheet
  size_t kernels = 0;
  std::string bound{};  // of the kernel that takes longest
};

// With cold caches, as the timer leaves them.
GpuPrediction predict_cold(schedule::Plan plan, const graph::Graph& graph,
                           std::shared_ptr<const cost::Sheet> sheet);

// Each case planned for the device of the sheet and not run: a table to stdout unless JSON is wanted. The
// floor is what the model says of a plain kernel that touches the same arrays. Cases that are no one
// program of given inputs (times of the host, of compiling, an optimizer) are left out, and named on stderr.
nlohmann::json predict_gpu_cases(const std::vector<GpuCase>& cases,
                                 const std::shared_ptr<const cost::Sheet>& sheet, bool as_json);

}  // namespace ridge::command

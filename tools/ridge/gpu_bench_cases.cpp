#include "gpu_bench_cases.h"

#include "ridge/base/text.h"

namespace ridge::command {

int64_t bytes_of(const BenchInput& input) {
  return static_cast<int64_t>(bytes_for(input.dtype, numel(input.shape).value()));
}

std::string gpu_case_name(const std::string& what, const BenchInput& input) {
  return concat("gpu.", what, ".", name(input.dtype), ".", join(input.shape, "x"));
}

const std::vector<GpuCase>& gpu_cases() {
  static const std::vector<GpuCase>& cases = *new std::vector<GpuCase>([] {
    std::vector<GpuCase> all;
    add_gpu_pointwise_cases(all);
    add_gpu_row_cases(all);
    add_gpu_gradient_cases(all);
    add_gpu_movement_cases(all);
    add_gpu_product_cases(all);
    add_gpu_training_cases(all);
    add_gpu_overhead_cases(all);
    add_gpu_compile_cases(all);
    return all;
  }());
  return cases;
}

}  // namespace ridge::command

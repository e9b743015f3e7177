// Families of cases of `ridge bench 'gpu.*'`: programs that take any shape. The list has some shapes of
// each, others are asked for by name.
//
//   gpu_case("row.softmax", {{16384, 768}, bf16}).name    gpu.row.softmax.bf16.16384x768
//   gpu_case_named("gpu.row.softmax.f16.4096x32000")      the same program for another shape
#pragma once

#include "gpu_bench_cases.h"

namespace ridge::command {

struct GpuFamily {
  std::string what;               // row.softmax: what names have between gpu. and the dtype
  std::vector<std::string> axes;  // ROWS, COLUMNS: what the sizes in a name stand for
  // The case of these sizes but for its name. They are the shape of its first input, but of products,
  // where they are M, N and K.
  std::function<GpuCase(const BenchInput&)> make;
  std::vector<DType> dtypes{bf16, f16, f32};
};

const std::vector<GpuFamily>& gpu_families();

// Of a family that there is.
GpuCase gpu_case(const std::string& what, const BenchInput& sizes);
// Error{unknown_name}, Error{dtype}, Error{shape}, Error{value} or Error{parse} where the name is none
// of a family, with what it should be.
GpuCase gpu_case_named(const std::string& name);

void add_gpu_pointwise_families(std::vector<GpuFamily>& families);
void add_gpu_row_families(std::vector<GpuFamily>& families);
void add_gpu_gradient_families(std::vector<GpuFamily>& families);
void add_gpu_movement_families(std::vector<GpuFamily>& families);
void add_gpu_product_families(std::vector<GpuFamily>& families);
void add_gpu_training_families(std::vector<GpuFamily>& families);

// Parts of families.
GpuFamily matrix_family(std::string what, std::function<GpuCase(const BenchInput&)> make);
// Of a row that is checked in place of one as long as this: the reference, which checks, is slow.
int64_t checked_length(int64_t length);
// Has the rows of the timed run checked; shorter rows in a small run, where those are too long.
void check_rows_of(GpuCase& gpu_case);

}  // namespace ridge::command

// Whether what a GPU computed is right: a kernel that is fast and wrong must not count.
//
// The reference evaluates the same function in f64 on the same inputs, for some rows of the run that
// is timed, and for all of a small one.
#pragma once

#include "gpu_bench_cases.h"

namespace ridge::command {

// Tensors of the host. Error{state} names the element that differs most. The tolerance follows the
// dtype of `ours` and the number of terms in a sum.
void check_close(const std::string& what, const Tensor& ours, const Tensor& expected,
                 int64_t terms);

// Rows of `inputs` and `outputs`, which are on the device.
void check_rows(const GpuCase& gpu_case, const Tensors& inputs, const Tensors& outputs);
// All of a run at the sizes of `gpu_case.small`.
void check_small(const GpuCase& gpu_case, Device device);

}  // namespace ridge::command

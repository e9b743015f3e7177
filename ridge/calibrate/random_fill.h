// Random tensors on a GPU, made there by kernels of their own (bench/random_fill.cu), so that what is
// measured does not make its own inputs. The same each time.
#pragma once

#include "ridge/calibrate/cuda_kernels.h"
#include "ridge/core/tensor.h"

namespace ridge::calibrate {

class RandomFill {
 public:
  explicit RandomFill(Device device);

  // f32, bf16 and f16: normal, mean 0 and deviation 1. i64: from 0 to below `below`.
  Tensor tensor(const Shape& shape, DType dtype, int64_t below = 0);
  Tensor bytes(int64_t count);  // u8, all values

 private:
  void fill(const Tensor& tensor, const std::string& symbol, int64_t below);

  Device device_;
  CudaKernels kernels_;
  uint32_t seed_ = 1;
};

}  // namespace ridge::calibrate

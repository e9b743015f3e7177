// Kernels of the CUDA sources inside of the library, compiled for a device at their first use.
//
//   CudaKernels kernels(0, "plain_sweep.cu");
//   kernels.find("plain_sweep", {"-DREADS=1", ...}).launch(...)
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ridge/core/tensor.h"
#include "ridge/runtime/cuda/module.h"
#include "ridge/runtime/cuda/nvrtc.h"

namespace ridge::calibrate {

class CudaKernels {
 public:
  CudaKernels(int device, std::string file) : device_(device), file_(std::move(file)) {}

  // `definitions` are options of the compiler. Error{internal} if the text does not compile.
  runtime::cuda::Kernel find(const std::string& symbol,
                             const std::vector<std::string>& definitions = {});

 private:
  int device_;
  std::string file_;
  std::map<std::string, std::shared_ptr<runtime::cuda::Module>> modules_;  // by definitions
};

// CUDA sources that the build turns into text inside the library (cmake/RidgeEmbedText.cmake) and that
// are compiled where they run: plain kernels against which others are judged, probes of a device.

struct CudaText {
  std::string_view file;  // "plain_sweep.cu"
  std::string_view text;
};

std::span<const CudaText> cuda_texts();
// Error{internal} where there is none of that name.
std::string_view cuda_text(std::string_view file);
// The device headers that these texts include.
std::vector<runtime::cuda::CudaHeader> device_headers();

// Random tensors on a GPU, made there by kernels of their own (bench/random_fill.cu), so that what is
// measured does not make its own inputs. The same each time.

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

// The device code of ridge/kernels/cuda as text inside the library (cmake/RidgeEmbedText.cmake): generated
// kernels carry parts of it (codegen/cuda/prelude.h), and NVRTC needs no files.
#pragma once

#include <span>
#include <string_view>

namespace ridge::kernels {

struct CudaHeader {
  std::string_view file;  // "reduce.cuh"
  std::string_view text;
};

std::span<const CudaHeader> cuda_headers();

}  // namespace ridge::kernels

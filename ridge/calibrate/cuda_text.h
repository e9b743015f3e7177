// CUDA sources that the build turns into text inside the library (cmake/RidgeEmbedText.cmake) and that
// are compiled where they run: plain kernels against which others are judged, probes of a device.
#pragma once

#include <span>
#include <string_view>

namespace ridge::calibrate {

struct CudaText {
  std::string_view file;  // "plain_sweep.cu"
  std::string_view text;
};

std::span<const CudaText> cuda_texts();
// Error{internal} where there is none of that name.
std::string_view cuda_text(std::string_view file);

}  // namespace ridge::calibrate

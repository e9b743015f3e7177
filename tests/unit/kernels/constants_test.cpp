// Numbers of device headers that the host counts on: the text cannot include them.
#include <gtest/gtest.h>

#include <algorithm>

#include "ridge/base/text.h"
#include "ridge/codegen/cuda/scalar_function.h"
#include "ridge/cost/tuning.h"
#include "ridge/kernels/cuda_headers.h"

namespace ridge::kernels_constants_test {
namespace {

std::string_view text_of(std::string_view file) {
  const auto headers = kernels::cuda_headers();
  const auto found = std::ranges::find(headers, file, &kernels::CudaHeader::file);
  return found == headers.end() ? std::string_view() : found->text;
}

TEST(DeviceHeaders, HaveTheNumbersOfTheHost) {
  const auto listed = static_cast<int>(cost::tuning::kListedWarps);
  EXPECT_NE(text_of("reduce.cuh").find(concat("if constexpr (kWarps <= ", listed, ") {")),
            std::string::npos);
  const auto angle = static_cast<int>(codegen::cuda::kSmallAngle);
  const std::string_view trigonometry = text_of("trigonometry.cuh");
  EXPECT_NE(trigonometry.find(concat("fabsf(x) > ", angle, ".0f")), std::string::npos);
  EXPECT_NE(trigonometry.find(concat("most <= ", angle, ".0f")), std::string::npos);
}

}  // namespace
}  // namespace ridge::kernels_constants_test

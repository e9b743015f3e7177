// Programs of the fake GPU whose kernels all add: what they compute can then be checked.
#pragma once

#include <vector>

#include "ridge/core/device_copy.h"
#include "ridge/ridge.h"

namespace ridge {

inline constexpr Device kGpu{DeviceKind::cuda, 0};
inline constexpr int64_t kElements = 4;

// For fake_gpu::set_kernel: all arguments but the last are added into the last.
inline void add_all(const std::string&, const std::vector<void*>& arguments) {
  for (int64_t i = 0; i < kElements; ++i) {
    float sum = 0;
    for (size_t k = 0; k + 1 < arguments.size(); ++k) {
      sum += static_cast<const float*>(arguments[k])[i];
    }
    static_cast<float*>(arguments.back())[i] = sum;
  }
}

// {first, first + 1, ...}
inline Tensor on_gpu(float first) {
  std::vector<float> elements;
  for (int64_t i = 0; i < kElements; ++i) elements.push_back(first + static_cast<float>(i));
  return to_device(Tensor::of<float>(elements, {kElements}), kGpu);
}

inline std::vector<float> values(const Tensor& tensor) {
  return to_device(tensor, kCpu).to_vector<float>();
}

// x + count * y, rounded as the program rounds.
inline std::vector<float> expected(float x, float y, int count) {
  std::vector<float> result;
  for (int64_t i = 0; i < kElements; ++i) {
    const auto at = static_cast<float>(i);
    float sum = x + at;
    for (int k = 0; k < count; ++k) sum += y + at;
    result.push_back(sum);
  }
  return result;
}

inline auto chain_of(int count) {
  return compile(
      [count](const Tensor& x, const Tensor& y) {
        Tensor sum = x;
        for (int i = 0; i < count; ++i) sum = sum + y;
        return sum;
      },
      {.name = "chain"});
}

}  // namespace ridge

// The status words of the calls of a program on a GPU: read once, after a run.
#pragma once

#include <optional>
#include <vector>

#include "ridge/core/device_copy.h"
#include "ridge/driver/executor.h"
#include "ridge/runtime/cuda/cuda_runtime.h"

namespace ridge::driver {

class CudaStatus {
 public:
  CudaStatus() = default;  // of a program that cannot fail
  CudaStatus(size_t calls, Device device)
      : words_(Tensor::empty({static_cast<int64_t>(calls)}, i32, device)) {}

  int32_t* data() const {
    return words_.defined() ? static_cast<int32_t*>(device_address(words_)) : nullptr;
  }
  void clear(Stream stream) const {
    if (!words_.defined()) return;
    runtime::cuda::cuda_runtime().fill(data(), 0, words_.storage().bytes(), stream);
  }
  // Waits for the current stream, unless nothing can fail.
  std::optional<Failure> first_failure() const {
    if (!words_.defined()) return std::nullopt;
    const std::vector<int32_t> values = to_device(words_, kCpu).to_vector<int32_t>();
    for (size_t i = 0; i < values.size(); ++i) {
      if (values[i] != 0) return Failure{i, values[i]};
    }
    return std::nullopt;
  }

 private:
  Tensor words_;
};

}  // namespace ridge::driver

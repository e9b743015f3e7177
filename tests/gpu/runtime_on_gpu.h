// What tests of the runtime on a real device share: small kernels, memory and streams for a scope.
#pragma once
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "ridge/runtime/cuda/cuda_runtime.h"
#include "ridge/runtime/cuda/device_properties.h"
#include "ridge/runtime/cuda/driver_api.h"
#include "ridge/runtime/cuda/module.h"
#include "ridge/runtime/cuda/nvrtc.h"

namespace ridge::runtime::cuda {

inline constexpr Device kDevice{DeviceKind::cuda, 0};

inline constexpr const char* kSmokeSource = R"(
extern "C" __global__ void add(float* x, float by, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) x[i] += by;
}
extern "C" __global__ void spin(long long cycles, int* done) {
  const long long begin = clock64();
  while (clock64() - begin < cycles) {}
  if (done != nullptr) *done += 1;
}
extern "C" __global__ void store_at(float* x, long long offset) { x[offset] = 1.0f; }
extern "C" __global__ void sum_shared(float* x) {
  extern __shared__ float staged[];
  for (int i = threadIdx.x; i < 40000; i += blockDim.x) staged[i] = 1.0f;
  __syncthreads();
  if (threadIdx.x == 0) {
    float sum = 0.0f;
    for (int i = 0; i < 40000; ++i) sum += staged[i];
    x[blockIdx.x] = sum;
  }
}
)";

// Destroyed after the blocks that were allocated for it.
struct OwnStream {
  OwnStream() : stream(cuda_runtime().create_stream(kDevice)) {}
  ~OwnStream() { cuda_runtime().destroy_stream(stream); }
  OwnStream(const OwnStream&) = delete;
  OwnStream& operator=(const OwnStream&) = delete;
  const Stream stream;
};

class CudaGpuTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!register_cuda_runtime()) GTEST_SKIP() << cuda_availability().reason;
    if (!nvrtc_availability().is_available) GTEST_SKIP() << nvrtc_availability().reason;
  }

  static CudaRuntime& runtime() { return cuda_runtime(); }

  static Kernel kernel(const std::string& name) {
    static const std::shared_ptr<Module> module = [] {
      const CompiledCuda code =
          compile_cuda(kSmokeSource, {.name = "smoke", .arch = arch_name(device_properties(0))});
      return Module::load(0, code.cubin, "smoke");
    }();
    return module->kernel(name);
  }

  static void launch_add(float* x, float by, int count, Stream stream) {
    const void* arguments[] = {&x, &by, &count};
    const auto blocks = static_cast<uint32_t>((count + 255) / 256);
    kernel("add").launch({.grid = {blocks}, .block = {256}, .stream = stream}, arguments);
  }

  // Keeps the stream busy for about that long.
  static void launch_spin(double milliseconds, Stream stream) {
    auto cycles = static_cast<long long>(milliseconds * device_properties(0).clock_khz);
    int* done = nullptr;
    const void* arguments[] = {&cycles, &done};
    kernel("spin").launch({.stream = stream}, arguments);
  }
};

// Memory of the device for the scope of a test.
class Block {
 public:
  explicit Block(size_t bytes, Stream stream = {kDevice, 0}) : bytes_(bytes), stream_(stream) {
    const StreamScope scope(stream_);
    data_ = cuda_runtime().allocator(kDevice).allocate(bytes);
  }
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;
  ~Block() {
    const StreamScope scope(stream_);
    cuda_runtime().allocator(kDevice).release(data_, bytes_);
  }
  template <class T = float>
  T* as() const {
    return static_cast<T*>(data_);
  }

 private:
  void* data_;
  size_t bytes_;
  Stream stream_;
};

}  // namespace ridge::runtime::cuda

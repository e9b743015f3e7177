#include "ridge/calibrate/cuda_kernels.h"

#include <algorithm>

#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "ridge/core/device_copy.h"
#include "ridge/kernels/cuda_headers.h"
#include "ridge/runtime/cuda/context.h"
#include "ridge/runtime/cuda/device_properties.h"

namespace ridge::calibrate {

std::string_view cuda_text(std::string_view file) {
  for (const CudaText& entry : cuda_texts()) {
    if (entry.file == file) return entry.text;
  }
  throw Error({.code = ErrorCode::internal,
               .op = "calibrate",
               .expected = "a CUDA source that is part of the library",
               .given = std::string(file)});
}

std::vector<runtime::cuda::CudaHeader> device_headers() {
  std::vector<runtime::cuda::CudaHeader> headers;
  for (const kernels::CudaHeader& header : kernels::cuda_headers()) {
    headers.push_back({concat("ridge/kernels/cuda/", header.file), std::string(header.text)});
  }
  return headers;
}

runtime::cuda::Kernel CudaKernels::find(const std::string& symbol,
                                        const std::vector<std::string>& definitions) {
  std::shared_ptr<runtime::cuda::Module>& module = modules_[join(definitions, " ")];
  if (module == nullptr) {
    const auto compiled =
        runtime::cuda::compile_cuda(std::string(cuda_text(file_)),
                                    {.name = file_,
                                     .arch = arch_name(runtime::cuda::device_properties(device_)),
                                     .options = definitions,
                                     .headers = device_headers()});
    module = runtime::cuda::Module::load(device_, compiled.cubin, file_);
  }
  return module->kernel(symbol);
}

namespace {

constexpr uint32_t kFillThreads = 256;
constexpr int64_t kMostFillBlocks = 4096;  // each thread then fills several

}  // namespace

RandomFill::RandomFill(Device device) : device_(device), kernels_(device.index, "random_fill.cu") {}

void RandomFill::fill(const Tensor& tensor, const std::string& symbol, int64_t below) {
  const auto count = static_cast<uint64_t>(tensor.numel().value());
  if (count == 0) return;
  const void* data = device_address(tensor);
  const uint32_t seed = seed_++;
  const void* arguments[] = {&data, &count, &seed, &below};
  const int64_t blocks = (tensor.numel().value() + kFillThreads - 1) / kFillThreads;
  kernels_.find(symbol).launch({.grid = {static_cast<uint32_t>(std::min(blocks, kMostFillBlocks))},
                                .block = {kFillThreads},
                                .stream = runtime::cuda::current_stream(device_)},
                               arguments);
}

Tensor RandomFill::tensor(const Shape& shape, DType dtype, int64_t below) {
  Tensor result = Tensor::empty(shape, dtype, device_);
  fill(result, concat("fill_", name(dtype)), below);
  return result;
}

Tensor RandomFill::bytes(int64_t count) {
  Tensor result = Tensor::empty({count}, u8, device_);
  fill(result, "fill_u8", 0);
  return result;
}

}  // namespace ridge::calibrate

#include "ridge/calibrate/cuda_kernels.h"

#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "ridge/calibrate/cuda_text.h"
#include "ridge/runtime/cuda/device_facts.h"
#include "ridge/runtime/cuda/nvrtc.h"

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

runtime::cuda::Kernel CudaKernels::find(const std::string& symbol,
                                        const std::vector<std::string>& definitions) {
  std::shared_ptr<runtime::cuda::Module>& module = modules_[join(definitions, " ")];
  if (module == nullptr) {
    const auto compiled = runtime::cuda::compile_cuda(
        std::string(cuda_text(file_)), {.name = file_,
                                        .arch = arch_name(runtime::cuda::device_facts(device_)),
                                        .options = definitions});
    module = runtime::cuda::Module::load(device_, compiled.cubin, file_);
  }
  return module->kernel(symbol);
}

}  // namespace ridge::calibrate

// Kernels of the CUDA sources of cuda_text.h, compiled for a device at their first use.
//
//   CudaKernels kernels(0, "plain_sweep.cu");
//   kernels.find("plain_sweep", {"-DREADS=1", ...}).launch(...)
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ridge/runtime/cuda/module.h"

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

}  // namespace ridge::calibrate

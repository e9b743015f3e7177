// Shared memory of a kernel that is being emitted.
//
// Global buffers come first in a kernel, and the emitter meets them one by one; so shared ones have
// stand-in numbers until all are known.
#pragma once

#include <vector>

#include "ridge/loop/loop.h"

namespace ridge::schedule {

class SharedBuffers {
 public:
  // A number to load and store by.
  int add(std::string name, DType dtype, int64_t elements);
  int64_t bytes() const { return bytes_; }
  // Appends them to the kernel, under their final numbers.
  void settle(loop::Kernel& kernel) const;

 private:
  std::vector<loop::Buffer> buffers_;
  int64_t bytes_ = 0;
};

}  // namespace ridge::schedule

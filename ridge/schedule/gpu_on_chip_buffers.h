// Shared memory and registers of a kernel that is being emitted.
//
// Global buffers come first in a kernel, and the emitter meets them one by one; so the others have
// stand-in numbers until all are known.
#pragma once

#include <vector>

#include "ridge/loop/loop.h"

namespace ridge::schedule {

class OnChipBuffers {
 public:
  // A number to load and store by.
  int add(std::string name, DType dtype, int64_t elements, loop::Space space = loop::Space::shared);
  // Appends them to the kernel, under their final numbers.
  void settle(loop::Kernel& kernel) const;

 private:
  std::vector<loop::Buffer> buffers_;
};

}  // namespace ridge::schedule

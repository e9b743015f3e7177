// A kernel that copies one buffer to another, each by its own strides.
#pragma once

#include "ridge/schedule/memory.h"

namespace ridge::schedule {

KernelCall copy_kernel(const Memory::Copy& copy, const std::vector<PlannedBuffer>& buffers,
                       Target target);

}  // namespace ridge::schedule

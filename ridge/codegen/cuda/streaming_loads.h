// Which kernels use evict-first loads: CudaTarget::streaming_loads.
#pragma once

#include "ridge/loop/loop.h"

namespace ridge::codegen {

// Does the kernel do little but load, each element about once, more than the L2 holds? The next kernel finds nothing
// of it in the L2, so these loads should not evict what others left: sums of rows of 134 MB take 37.8 us on an H200,
// 40.9 without hints. Beyond four times the L2, hints cost more than they save (412 MB: 110 us, 103 without).
bool prefers_streaming_loads(const loop::Kernel& kernel, int64_t cache_bytes);

}  // namespace ridge::codegen

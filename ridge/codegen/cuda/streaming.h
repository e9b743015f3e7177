// Kernels whose data should make way for other data in the cache: CudaTarget::streams.
#pragma once

#include "ridge/loop/loop.h"

namespace ridge::codegen {

// Does the kernel do little but read, each element about once, more than a cache of this size holds?
// Nothing of it can be there for whoever reads it next, so it need not drive out what others left:
// sums of rows of 134 MB take 37.8 us on an H200, 40.9 without hints. Beyond four times the cache they
// cost more than they save there (412 MB: 110 us, 103 without).
bool reads_past_cache(const loop::Kernel& kernel, int64_t cache_bytes);

}  // namespace ridge::codegen

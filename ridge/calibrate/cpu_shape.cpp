#include "ridge/calibrate/cpu_shape.h"

#include <unistd.h>

#include <algorithm>

#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "ridge/calibrate/topology.h"
#include "ridge/codegen/llvm/generate.h"
#include "ridge/runtime/cpu/thread_pool.h"

namespace ridge::calibrate {
namespace {

double cache_figure(int name, std::string_view what) {
  const long value = sysconf(name);
  RIDGE_CHECK(value > 0, .code = ErrorCode::device, .op = "calibrate",
              .expected = concat("a system that knows the ", what), .given = "no answer");
  return static_cast<double>(value);
}

}  // namespace

CpuShape this_cpu_shape() {
  CpuShape shape;
  shape.threads = runtime::thread_count();
  const int cores = core_count("/sys/devices/system/cpu", usable_processors());
  shape.cores = std::clamp(cores, 1, shape.threads);
  shape.lanes = codegen::host_target().vector_bytes / 4;
  shape.line = cache_figure(_SC_LEVEL1_DCACHE_LINESIZE, "length of a cache line");
  shape.l1 = cache_figure(_SC_LEVEL1_DCACHE_SIZE, "size of the first-level cache");
  shape.l2 = cache_figure(_SC_LEVEL2_CACHE_SIZE, "size of the second-level cache");
  shape.l3 = cache_figure(_SC_LEVEL3_CACHE_SIZE, "size of the third-level cache");
  // The C library asks the processor, which may answer for all sockets; the kernel lists each cache.
  const double listed = shared_cache_bytes("/sys/devices/system/cpu", usable_processors(), 3);
  if (listed > 0) shape.l3 = std::min(shape.l3, listed);
  return shape;
}

}  // namespace ridge::calibrate

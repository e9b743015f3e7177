#include "ridge/driver/startup.h"

#include <mutex>

#include "ridge/autograd/kernel.h"
#include "ridge/capture/trace.h"
#include "ridge/eager/eager.h"
#include "ridge/graph/recorder.h"
#include "ridge/linker/kernel_cache.h"
#include "ridge/ops/dispatch_layers.h"
#include "ridge/reference/reference.h"
#include "ridge/runtime/cuda/cuda_runtime.h"

namespace ridge {

void start() {
  static std::once_flag once;
  std::call_once(once, [] {
    ops::install_derived_layers();
    reference::install();
    // Above the reference, which stays for what generated code cannot compute.
    if (linker::kCanBuild) eager::install_eager();
    eager::install_eager_gpu();
    set_device_provider(DeviceKind::cuda, [] { runtime::cuda::cuda_runtime(); });
    autograd::install();
    graph::install_recorder();
    capture::install_dry_run();
  });
}

}  // namespace ridge

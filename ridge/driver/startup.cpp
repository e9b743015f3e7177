#include "ridge/driver/startup.h"

#include <mutex>

#include "ridge/autograd/install.h"
#include "ridge/ops/layers.h"
#include "ridge/reference/reference.h"

namespace ridge {

void start() {
  static std::once_flag once;
  std::call_once(once, [] {
    ops::install_derived_layers();
    reference::install();
    autograd::install();
  });
}

}  // namespace ridge

#include "ridge/core/device.h"

#include "ridge/base/text.h"
#include "ridge/core/device_runtime.h"

namespace ridge {

std::string to_text(Device device) {
  switch (device.kind) {
    case DeviceKind::cpu: return "cpu";
    case DeviceKind::cuda: return concat("cuda:", device.index);
    case DeviceKind::meta: return "meta";
    case DeviceKind::outside0:
    case DeviceKind::outside1:
    case DeviceKind::outside2:
    case DeviceKind::outside3: {
      const int number = static_cast<int>(device.kind) - static_cast<int>(DeviceKind::outside0);
      std::string text = has_device_runtime(device.kind) ? device_runtime(device.kind).name()
                                                         : concat("outside", number);
      return device.index == 0 ? text : concat(text, ":", device.index);
    }
  }
  return "unknown device";
}

}  // namespace ridge

#include "ridge/cost/device_limits.h"

#include "ridge/cost/tuning.h"

namespace ridge::cost {

loop::DeviceLimits device_limits(const Sheet* sheet) {
  loop::DeviceLimits limits;
  if (sheet == nullptr) return limits;
  const auto figure = [&](std::string_view name, double otherwise) {
    return static_cast<int64_t>(sheet->value(name).value_or(otherwise));
  };
  limits.sms = figure("units", 1);
  limits.shared_bytes = figure("shared.bytes", 0);
  limits.cluster_blocks = figure("cluster", 1);
  limits.clustered_sms =
      figure("units.cluster", sheet->value("units").value_or(1) * tuning::kClusteredSmFraction);
  return limits;
}

}  // namespace ridge::cost

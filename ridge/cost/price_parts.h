// The parts of `price`: one for each kind of device, and what they share.
#pragma once

#include "ridge/cost/price.h"
#include "ridge/cost/traffic.h"

namespace ridge::cost {

Price price_on_cpu(const KernelNest& nest, const Sheet& sheet, const Context& context);
Price price_on_gpu(const KernelNest& nest, const Sheet& sheet, const Context& context);

// Seconds of each resource while a phase runs, and of a whole kernel.
class Bill {
 public:
  double& operator[](Resource resource) { return now_[static_cast<size_t>(resource)]; }
  // Ends a phase that took `seconds`: they are put down to the busiest resource.
  void end_phase(double seconds) {
    size_t busiest = 0;
    for (size_t i = 0; i < kResourceCount; ++i) {
      if (now_[i] > now_[busiest]) busiest = i;
      total_[i] += now_[i];
    }
    charged_[busiest] += seconds;
    time_ += seconds;
    now_ = {};
  }
  double time() const { return time_; }
  const std::array<double, kResourceCount>& totals() const { return total_; }
  Resource bound() const {
    size_t most = 0;
    for (size_t i = 0; i < kResourceCount; ++i) {
      if (charged_[i] > charged_[most]) most = i;
    }
    return static_cast<Resource>(most);
  }

 private:
  std::array<double, kResourceCount> now_{}, total_{}, charged_{};
  double time_ = 0;
};

}  // namespace ridge::cost

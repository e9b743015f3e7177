// Measured points of a sweep, where its device is the machine at hand.
#pragma once

#include <memory>

#include "ridge/cost/roofline/sweep.h"
#include "ridge/cost/sheet.h"

namespace ridge::command {

// Each fills in `measured_s` of every point, f32 on this machine's CPU.
void measure(cost::MatmulSweep& sweep, const std::shared_ptr<const cost::Sheet>& sheet);
void measure(cost::RepeatSweep& sweep, const std::shared_ptr<const cost::Sheet>& sheet,
             int64_t numbers, bool is_fma);

}  // namespace ridge::command

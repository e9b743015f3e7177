// Measured points of a sweep, where its device is the machine at hand.
#pragma once

#include <memory>

#include "ridge/core/dtype.h"
#include "ridge/cost/roofline/sweep.h"
#include "ridge/cost/sheet.h"

namespace ridge::command {

struct MeasuredOn {
  bool is_gpu = false;  // the first one, in place of the CPU
  DType dtype = f32;    // on the CPU f32
  std::shared_ptr<const cost::Sheet> sheet{};
};

// Each fills in `measured_s` of every point.
void measure(cost::MatmulSweep& sweep, const MeasuredOn& where);
void measure(cost::RepeatSweep& sweep, const MeasuredOn& where, int64_t numbers, bool is_fma);

}  // namespace ridge::command

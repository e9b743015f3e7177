// Measured points of a sweep, where its device is the machine at hand.
#pragma once

#include <functional>
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

using OnMeasured = std::function<void(size_t done, size_t all)>;

// Fills in `measured_s` of every point.
void measure(cost::MatmulSweep& sweep, const MeasuredOn& where, const OnMeasured& on_measured);
// Of the points that a table shows: each is a kernel of its own to compile, and hundreds of them
// would take minutes.
void measure(cost::RepeatSweep& sweep, const MeasuredOn& where, int64_t numbers, bool is_fma,
             const OnMeasured& on_measured);

}  // namespace ridge::command

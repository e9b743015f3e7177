// Timing work on a GPU: ours, plain kernels and probes by one harness.
//
//   CudaTimer timer(0);
//   timer.time([&] { program.run(inputs); }).median      // seconds
//
// Before each repetition a buffer larger than the last cache is written, so that nothing of the one
// before is left there; events on the stream enclose the work. Repetitions are queued without
// waiting, so that the host is ahead and its time is not measured.
#pragma once

#include <functional>

#include "ridge/calibrate/probe.h"
#include "ridge/core/tensor.h"

namespace ridge::calibrate {

struct TimerOptions {
  int least = 50;  // repetitions
  int most = 400;
  double seconds = 0.3;  // that all of them take, within these limits
  bool is_cold = true;   // nothing of the data is in a cache
};

class CudaTimer {
 public:
  explicit CudaTimer(int device);

  // Median and spread over the repetitions, in seconds. Runs the work a few times first.
  Measured time(const std::function<void()>& work, const TimerOptions& options = {});

  Device device() const { return device_; }
  Stream stream() const;
  void wait() const;  // for all that was queued

 private:
  std::vector<double> repeat(const std::function<void()>& work, int count, bool is_cold);

  Device device_;
  Tensor flushed_;
};

}  // namespace ridge::calibrate

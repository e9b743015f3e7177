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

// What launches cost by themselves: the floor of programs that do nearly nothing.

// Seconds of the host for each of `count` calls of `work`, the device's end included, as a program
// that calls in a loop would see them. The median of several loops.
double seconds_of_each(const CudaTimer& timer, int count, const std::function<void()>& work);

// The driver's launch of an empty kernel, in a loop.
double launch_seconds(const CudaTimer& timer);
// A node of a graph of small kernels that each wait for the one before.
double graph_node_seconds(const CudaTimer& timer);

}  // namespace ridge::calibrate

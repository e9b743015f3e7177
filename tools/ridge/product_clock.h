// Timing one side of a comparison alone: for seconds on end, of which the second half counts.
//
// A GPU that multiplies sits at its power limit, where the clock depends on what ran in the second before. Lists
// and turns of milliseconds therefore favor one side (docs/bench/gpu.md); what counts is each side by itself, in
// both orders.
//
//   DeviceBatches ours(device, run, runs);
//   solo_seconds([&] { return ours.next(); }, 1.2)      // of one batch
#pragma once

#include <deque>
#include <functional>
#include <vector>

#include "ridge/core/device.h"

namespace ridge::command {

// Batches one behind the other on the device's current stream, each between two events. One more is always
// queued than is waited for, so that the device never waits for the host.
class DeviceBatches {
 public:
  DeviceBatches(Device device, std::function<void()> run, int runs_of_batch);

  double next();  // seconds of the next batch

 private:
  void queue();

  Stream stream_;
  std::function<void()> run_;
  int runs_;
  std::deque<Event> marks_;
};

// Calls `batch` until the seconds it returns make up that time; the median of those of its second half.
double solo_seconds(const std::function<double()>& batch, double seconds);

// How often to run what takes so long for a batch that is much longer than the resolution of events.
int runs_of_batch(double seconds_of_run);

// Seconds of one run, by itself for as long as it was made for. Tests have clocks of their own.
using SoloTimer = std::function<double(const std::function<void()>& run)>;
SoloTimer device_timer(Device device, double seconds);

// Sides measured in both orders: first, ..., last, last, ..., first. For each, the mean of its two times and how
// far they are apart, as a share of it.
struct SoloTime {
  double seconds = 0, spread = 0;
};
std::vector<SoloTime> in_both_orders(const std::vector<std::function<double()>>& sides);

}  // namespace ridge::command

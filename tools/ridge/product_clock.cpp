#include "product_clock.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "ridge/core/device_runtime.h"

namespace ridge::command {
namespace {

constexpr double kBatchSeconds = 5e-3;
constexpr int kMostRuns = 1000;

}  // namespace

DeviceBatches::DeviceBatches(Device device, std::function<void()> run, int runs_of_batch)
    : stream_(device_runtime(device.kind).current_stream(device)),
      run_(std::move(run)),
      runs_(runs_of_batch) {
  marks_.push_back(Event::record(stream_));
  queue();
}

void DeviceBatches::queue() {
  for (int i = 0; i < runs_; ++i) run_();
  marks_.push_back(Event::record(stream_));
}

double DeviceBatches::next() {
  queue();
  marks_[1].synchronize();
  const double seconds = 1e-6 * marks_[1].elapsed_us_since(marks_[0]);
  marks_.pop_front();
  return seconds;
}

double solo_seconds(const std::function<double()>& batch, double seconds) {
  std::vector<double> times;
  double total = 0;
  while (total < seconds) {
    times.push_back(batch());
    total += times.back();
  }
  double before = 0;
  size_t first = 0;
  while (before + times[first] <= total / 2 && first + 1 < times.size()) before += times[first++];
  const auto half = times.begin() + static_cast<std::ptrdiff_t>(first);
  const auto middle = half + (times.end() - half) / 2;
  std::nth_element(half, middle, times.end());
  return *middle;
}

int runs_of_batch(double seconds_of_run) {
  const double fitting = kBatchSeconds / std::max(seconds_of_run, 1e-9);
  return static_cast<int>(std::clamp(fitting, 1.0, static_cast<double>(kMostRuns)));
}

SoloTimer device_timer(Device device, double seconds) {
  return [=](const std::function<void()>& run) {
    double of_run = 0;
    {
      // A first guess, of few runs.
      DeviceBatches trial(device, run, 3);
      of_run = trial.next() / 3;
    }
    const int runs = runs_of_batch(of_run);
    DeviceBatches batches(device, run, runs);
    return solo_seconds([&] { return batches.next(); }, seconds) / runs;
  };
}

std::vector<SoloTime> in_both_orders(const std::vector<std::function<double()>>& sides) {
  std::vector<double> first, second(sides.size());
  for (const auto& side : sides) first.push_back(side());
  for (size_t i = sides.size(); i-- > 0;) second[i] = sides[i]();
  std::vector<SoloTime> times;
  for (size_t i = 0; i < sides.size(); ++i) {
    const double mean = (first[i] + second[i]) / 2;
    times.push_back({mean, std::abs(first[i] - second[i]) / mean});
  }
  return times;
}

}  // namespace ridge::command

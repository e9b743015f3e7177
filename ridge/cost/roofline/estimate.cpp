#include "ridge/cost/roofline/estimate.h"

#include <algorithm>
#include <cmath>

namespace ridge::cost {

namespace {

struct Times {
  double math = 0, memory = 0, network = 0;
};

Times total(const std::vector<Part>& parts) {
  Times times;
  for (const Part& part : parts) {
    times.math += part.math_s;
    times.memory += part.memory_s;
    times.network += part.network_s;
  }
  return times;
}

}  // namespace

double launches_of(const Estimate& estimate) {
  double launches = 0;
  for (const Part& part : estimate.parts) launches += part.launches;
  return launches;
}

void add_bounds(Estimate& estimate, std::optional<double> launch_of_one) {
  for (const Part& part : estimate.parts) {
    estimate.flops += part.flops;
    estimate.bytes += part.bytes;
    estimate.network_bytes += part.network_bytes;
  }
  const Times times = total(estimate.parts);
  estimate.t_math_s = times.math;
  estimate.t_memory_s = times.memory;
  estimate.t_network_s = times.network;
  estimate.t_comms_s = std::max(times.memory, times.network);
  estimate.lower_s = std::max(times.math, estimate.t_comms_s);
  estimate.upper_s = times.math + times.memory + times.network;
  if (estimate.bytes > 0) estimate.intensity = estimate.flops / estimate.bytes;
  if (times.math > 0 && times.memory > 0) {
    estimate.ridge = (estimate.flops / times.math) / (estimate.bytes / times.memory);
  }
  if (times.math >= estimate.t_comms_s) {
    estimate.regime = Regime::compute;
  } else {
    estimate.regime = times.network > times.memory ? Regime::network : Regime::memory;
  }
  estimate.floor_s = std::max(estimate.lower_s, launch_of_one.value_or(0));
  if (launch_of_one) {
    estimate.launch_s = *launch_of_one * launches_of(estimate);
    if (*estimate.launch_s > estimate.lower_s) estimate.regime = Regime::overhead;
  }
}

std::optional<double> crossover_along(std::string_view dimension, const Sizes& sizes,
                                      const PartsOf& parts) {
  const double here = sizes[dimension];
  const Times at_zero = total(parts(sizes.with(dimension, 0)));
  const Times at_here = total(parts(sizes));
  double from = 0;  // compute-bound between these
  double to = std::numeric_limits<double>::infinity();
  const auto require = [&](double surplus_at_zero, double surplus_here) {
    const double slope = (surplus_here - surplus_at_zero) / here;
    if (slope > 0) {
      from = std::max(from, -surplus_at_zero / slope);
    } else if (surplus_at_zero < 0 || slope < 0) {
      to = surplus_at_zero > 0 ? std::min(to, -surplus_at_zero / slope) : 0;
    }
  };
  require(at_zero.math - at_zero.memory, at_here.math - at_here.memory);
  require(at_zero.math - at_zero.network, at_here.math - at_here.network);
  if (from <= 0 || from >= to) return std::nullopt;
  return from;
}

void add_tiling(Estimate& estimate, std::optional<Tiling> tiling) {
  estimate.tiling = tiling;
  if (!tiling) return;
  estimate.floor_s = tiling->floor_s;
  estimate.predicted_s = tiling->predicted_s;
}

void sort_advice(Estimate& estimate) {
  const double least = std::max(estimate.lower_s, estimate.predicted_s.value_or(0)) / 1000;
  std::erase_if(estimate.advice, [&](const Advice& one) { return !(one.gain_s >= least); });
  std::ranges::stable_sort(estimate.advice, std::greater(), &Advice::gain_s);
}

}  // namespace ridge::cost

#include "ridge/cost/distinct_bytes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace ridge::cost {

double DistinctBytes::StridedRuns::count() const {
  double count = 1;
  for (const Repeat& repeat : repeats) count *= repeat.count;
  return count;
}

double DistinctBytes::StridedRuns::end() const {
  double last = start + length;
  for (const Repeat& repeat : repeats) {
    if (repeat.stride == 0) return std::numeric_limits<double>::infinity();
    last += repeat.stride * (repeat.count - 1);
  }
  return last;
}

DistinctBytes::StridedRuns DistinctBytes::runs_of(const MemoryAccess& access, AxisSet outside,
                                                  double line) {
  StridedRuns result;
  result.start = static_cast<double>(access.origin);
  std::vector<AxisStep> steps;
  for (const AxisStep& step : access.steps) {
    if (outside.has(step.axis)) continue;
    if (step.is_random) {
      result.repeats.push_back({0, step.trips});
    } else if (step.span != 0) {
      steps.push_back(step);
      if (step.is_down) result.start -= static_cast<double>(step.span);
    }
  }
  std::ranges::sort(steps, {}, [](const AxisStep& a) { return std::pair(a.stride, a.span); });
  for (const AxisStep& step : steps) {
    const auto stride = static_cast<double>(step.stride), span = static_cast<double>(step.span);
    const bool leaves_holes = (stride - result.length) * access.element_bytes >= line;
    if (leaves_holes) {
      result.repeats.push_back({stride, std::min(step.trips, span + 1)});
    } else {
      result.length += span;
    }
  }
  std::ranges::stable_sort(result.repeats, std::ranges::greater(), &Repeat::stride);
  return result;
}

double lines_of(const MemoryAccess& access, AxisSet outside, double line) {
  const DistinctBytes::StridedRuns runs = DistinctBytes::runs_of(access, outside, line);
  const double bytes = runs.count() * std::max(runs.length * access.element_bytes, line);
  return std::min(bytes, std::max(access.elements * access.element_bytes, line));
}

void DistinctBytes::add(const MemoryAccess& access, AxisSet outside) {
  element_bytes_ = access.element_bytes;
  whole_ = std::max(whole_, access.elements * access.element_bytes);
  all_.push_back(runs_of(access, outside, line_));
}

// Their runs as intervals, each moved back by whole repeats.
double DistinctBytes::bytes_of(const std::vector<const StridedRuns*>& alike) const {
  double first = std::numeric_limits<double>::infinity();
  for (const StridedRuns* one : alike) first = std::min(first, one->start);
  std::vector<std::pair<double, double>> intervals;
  for (const StridedRuns* one : alike) {
    double start = one->start - first;
    for (const Repeat& repeat : one->repeats) {
      if (repeat.stride > 0) start -= repeat.stride * std::floor(start / repeat.stride);
    }
    intervals.emplace_back(start, start + one->length);
  }
  std::ranges::sort(intervals);
  double bytes = 0, from = intervals[0].first, to = intervals[0].second;
  for (const auto& [start, end] : intervals) {
    if ((start - to) * element_bytes_ >= line_) {
      bytes += std::max((to - from) * element_bytes_, line_);
      from = start;
    }
    to = std::max(to, end);
  }
  bytes += std::max((to - from) * element_bytes_, line_);
  return bytes * alike[0]->count();
}

double DistinctBytes::bytes() const {
  if (all_.empty()) return 0;
  struct Part {
    double start, end, bytes;
  };
  std::vector<Part> parts;
  std::vector<bool> is_done(all_.size());
  for (size_t i = 0; i < all_.size(); ++i) {
    if (is_done[i]) continue;
    std::vector<const StridedRuns*> alike;
    Part part{all_[i].start, 0, 0};
    for (size_t j = i; j < all_.size(); ++j) {
      if (is_done[j] || all_[j].repeats != all_[i].repeats) continue;
      is_done[j] = true;
      alike.push_back(&all_[j]);
      part.start = std::min(part.start, all_[j].start);
      part.end = std::max(part.end, all_[j].end());
    }
    part.bytes = bytes_of(alike);
    parts.push_back(part);
  }
  std::ranges::sort(parts, {}, &Part::start);
  double sum = 0, largest = 0, end = -std::numeric_limits<double>::infinity();
  for (const Part& part : parts) {
    if (part.start >= end) {
      sum += largest;
      largest = 0;
    }
    largest = std::max(largest, part.bytes);
    end = std::max(end, part.end);
  }
  return std::min(sum + largest, std::max(whole_, line_));
}

}  // namespace ridge::cost

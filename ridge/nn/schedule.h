// Learning rates over the steps of a run, computed in the step itself.
//
//   const auto schedule =
//       nn::Schedule::cosine({.peak = 1e-3, .last = 1e-4, .rise = 100, .total = 5000});
//   copy_(optimizer.learning_rate, schedule(optimizer.step));   // inside the compiled step
//   optimizer.update(model, gradient);
//
// A rate rises from `first` to `peak` over the first steps and falls to `last` over the others, where
// it stays. All numbers are 0-d tensors, arguments like those of a model: another one needs no new
// capture, and no value is read back. Only the form of the two parts is part of the signature.
#pragma once

#include "ridge/core/visit_tensors.h"
#include "ridge/ops/at.h"

namespace ridge::nn {

struct ScheduleOptions {
  double peak = 1e-3;
  double first = 0;
  double last = 0;
  double rise = 0;   // steps to the peak
  double total = 0;  // steps to the last rate, those to the peak included
};

struct OneCycleOptions {
  double peak = 1e-3;
  double total = 0;           // steps
  double rise_share = 0.3;    // of the steps
  double first_divisor = 25;  // peak / first
  double last_divisor = 1e4;  // first / last
};

struct Schedule {
  enum class Curve : uint8_t { flat, linear, cosine };

  Tensor first, peak, last;  // f64, as are the steps
  Tensor rise, fall;         // steps of the two parts
  Curve rise_curve = Curve::linear;
  Curve fall_curve = Curve::flat;

  static Schedule constant(double rate, Device device = kCpu);
  // To the peak in `rise` steps, where it stays.
  static Schedule linear_warmup(double peak, double rise, double first = 0, Device device = kCpu);
  // After a linear rise, along half a cosine. Error{value} unless 0 <= rise < total, for all of these.
  static Schedule cosine(const ScheduleOptions& options, Device device = kCpu,
                         Location where = Location::current());
  static Schedule linear(const ScheduleOptions& options, Device device = kCpu,
                         Location where = Location::current());
  // Half a cosine up and another one down, the last step at the last rate: as PyTorch's OneCycleLR.
  static Schedule one_cycle(const OneCycleOptions& options, Device device = kCpu,
                            Location where = Location::current());

  // The rate after so many steps, 0-d f64: `step` is an integer or floating 0-d tensor.
  Tensor operator()(const At& step) const;

  static void visit_tensors(auto& self, auto&& visit) {
    visit("first", self.first);
    visit("peak", self.peak);
    visit("last", self.last);
    visit("rise", self.rise);
    visit("fall", self.fall);
    visit("rise_curve", self.rise_curve);
    visit("fall_curve", self.fall_curve);
  }
};

}  // namespace ridge::nn

#include "ridge/nn/schedule.h"

#include <numbers>

#include "ridge/base/text.h"
#include "ridge/capture/scope.h"
#include "ridge/dispatch/thread_state.h"
#include "ridge/ops/arithmetic.h"
#include "ridge/ops/comparison.h"
#include "ridge/ops/creation.h"
#include "ridge/ops/unary.h"

namespace ridge::nn {

namespace {

using Curve = Schedule::Curve;

Schedule make_schedule(const ScheduleOptions& options, Curve rise, Curve fall, Device device) {
  const auto number = [&](double value) { return full({}, value, f64, device); };
  return {number(options.first),
          number(options.peak),
          number(options.last),
          number(options.rise),
          number(options.total - options.rise),
          rise,
          fall};
}

void check_steps(const char* name, double rise, double total, Location where) {
  RIDGE_CHECK(rise >= 0 && rise < total, .code = ErrorCode::value, .op = name,
              .expected = "a rise that is shorter than all steps together",
              .given = concat(rise, " of ", total, " steps"), .where = where);
}

// How far along a curve from 0 to 1 after `done` steps of `all`.
Tensor progress(Curve curve, const Tensor& done, const Tensor& all, Location at) {
  // Without any step the curve is at its end.
  const Tensor share = div({done, at}, maximum({all, at}, 1e-9));
  const Tensor straight =
      where(greater_equal({done, at}, all), 1.0, maximum({minimum({share, at}, 1.0), at}, 0.0));
  if (curve == Curve::linear) return straight;
  const Tensor wave = cos({mul({straight, at}, std::numbers::pi), at});
  return mul({sub({1.0, at}, wave), at}, 0.5);
}

}  // namespace

Schedule Schedule::constant(double rate, Device device) {
  return make_schedule({.peak = rate}, Curve::flat, Curve::flat, device);
}

Schedule Schedule::linear_warmup(double peak, double rise, double first, Device device) {
  return make_schedule({.peak = peak, .first = first, .rise = rise, .total = rise}, Curve::linear,
                       Curve::flat, device);
}

Schedule Schedule::cosine(const ScheduleOptions& options, Device device, Location where) {
  check_steps("Schedule::cosine", options.rise, options.total, where);
  return make_schedule(options, Curve::linear, Curve::cosine, device);
}

Schedule Schedule::linear(const ScheduleOptions& options, Device device, Location where) {
  check_steps("Schedule::linear", options.rise, options.total, where);
  return make_schedule(options, Curve::linear, Curve::linear, device);
}

Schedule Schedule::one_cycle(const OneCycleOptions& options, Device device, Location where) {
  const double rise = options.rise_share * options.total - 1, total = options.total - 1;
  check_steps("Schedule::one_cycle", rise, total, where);
  const double first = options.peak / options.first_divisor;
  return make_schedule({.peak = options.peak,
                        .first = first,
                        .last = first / options.last_divisor,
                        .rise = rise,
                        .total = total},
                       Curve::cosine, Curve::cosine, device);
}

Tensor Schedule::operator()(const At& step) const {
  const Location where = step.where();
  const LayerScope named = scope("schedule");
  const dispatch::ValuesOnly values_only;
  const dispatch::ExcludeKeys as_it_is(dispatch::Key::autocast);
  const auto between = [&](const Tensor& from, const Tensor& to, const Tensor& share) {
    return add({from, where}, mul({sub({to, where}, from), where}, share));
  };
  const Tensor done = cast(step, f64);
  Tensor rate = peak;
  if (rise_curve != Curve::flat) {
    rate = between(first, peak, progress(rise_curve, done, rise, where));
  }
  if (fall_curve == Curve::flat) return rate;
  const Tensor fallen = sub({done, where}, rise);
  const Tensor falling = between(peak, last, progress(fall_curve, fallen, fall, where));
  return ridge::where(greater({fallen, where}, 0.0), falling, rate);
}

}  // namespace ridge::nn

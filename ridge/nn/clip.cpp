#include "ridge/nn/clip.h"

#include "ridge/base/text.h"
#include "ridge/capture/scope.h"
#include "ridge/dispatch/thread_state.h"
#include "ridge/graph/recorder.h"
#include "ridge/ops/arithmetic.h"
#include "ridge/ops/comparison.h"
#include "ridge/ops/creation.h"
#include "ridge/ops/reduction.h"
#include "ridge/ops/unary.h"

namespace ridge::nn::detail {

namespace {

// What is computed of gradients is no op of the model's: neither autograd nor autocast has a say.
struct OutsideOfModel {
  graph::PhaseScope before_update{graph::Phase::optimizer};
  dispatch::ValuesOnly values_only;
  dispatch::ExcludeKeys as_it_is{dispatch::Key::autocast};
};

bool has_elements(const Tensor& gradient) {
  return gradient.defined() && is_floating(gradient.dtype());
}

// The sum or conjunction of one 0-d tensor for each gradient; `none` where there is none.
template <class Of, class Join>
Tensor joined(const std::vector<Tensor*>& gradients, const Tensor& none, Of of, Join join) {
  Tensor total;
  for (const Tensor* gradient : gradients) {
    if (!has_elements(*gradient)) continue;
    const Tensor one = of(*gradient);
    total = total.defined() ? join(total, one) : one;
  }
  return total.defined() ? total : none;
}

}  // namespace

Tensor norm_of(const std::vector<Tensor*>& gradients, Location where) {
  const OutsideOfModel outside;
  const LayerScope named = scope("norm_of");
  const Tensor squares = joined(
      gradients, full({}, 0, f64, kCpu, where),
      [&](const Tensor& gradient) {
        const bool is_narrow = is_16_bit_float(gradient.dtype());
        const Tensor wide = is_narrow ? cast({gradient, where}, f32) : gradient;
        return cast({sum({square({wide, where}), where}), where}, f64);
      },
      [&](const Tensor& x, const Tensor& y) { return add({x, where}, y); });
  return sqrt({squares, where});
}

Tensor clip_by_norm(const std::vector<Tensor*>& gradients, double most, Location where) {
  RIDGE_CHECK(most > 0, .code = ErrorCode::value, .op = "clip_by_norm",
              .expected = "a length that is positive", .given = concat(most), .where = where);
  const OutsideOfModel outside;
  const Tensor norm = norm_of(gradients, where);
  const LayerScope named = scope("clip_by_norm");
  // Gradients of zeros stay that: the small number keeps 0 / 0 away.
  constexpr double kAway = 1e-6;
  const Tensor ratio = div({most, where}, add({norm, where}, kAway));
  const Tensor wide = minimum({ratio, where}, 1.0);
  const Tensor narrow = cast({wide, where}, f32);
  for (Tensor* gradient : gradients) {
    if (!has_elements(*gradient)) continue;
    const DType dtype = gradient->dtype();
    const Tensor scaled = mul({*gradient, where}, dtype == f64 ? wide : narrow);
    *gradient = scaled.dtype() == dtype ? scaled : cast({scaled, where}, dtype);
  }
  return norm;
}

Tensor all_finite(const std::vector<Tensor*>& gradients, Location where) {
  const OutsideOfModel outside;
  const LayerScope named = scope("all_finite");
  return joined(
      gradients, full({}, 1, boolean, kCpu, where),
      [&](const Tensor& gradient) { return all({is_finite({gradient, where}), where}); },
      [&](const Tensor& x, const Tensor& y) { return logical_and({x, where}, y); });
}

}  // namespace ridge::nn::detail

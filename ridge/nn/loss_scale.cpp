#include "ridge/nn/loss_scale.h"

#include <cmath>

#include "ridge/base/text.h"
#include "ridge/capture/scope.h"
#include "ridge/dispatch/thread_state.h"
#include "ridge/nn/dynamic_loss_scale.h"
#include "ridge/ops/arithmetic.h"
#include "ridge/ops/comparison.h"
#include "ridge/ops/creation.h"

namespace ridge::nn {

namespace {

Tensor times(const Tensor& tensor, double factor, Location where) {
  // What is multiplied is no op of the model's: autocast has no say in it.
  const dispatch::ExcludeKeys as_it_is(dispatch::Key::autocast);
  const bool is_narrow = is_16_bit_float(tensor.dtype());
  const Tensor wide = is_narrow ? cast({tensor, where}, f32) : tensor;
  return mul({wide, where}, factor);
}

}  // namespace

LossScale::LossScale(double factor_, Location where) : factor(factor_) {
  RIDGE_CHECK(factor > 0 && std::isfinite(factor), .code = ErrorCode::value, .op = "LossScale",
              .expected = "a factor that is positive and finite", .given = concat(factor),
              .where = where);
}

Tensor LossScale::scaled(const Tensor& loss, Location where) const {
  return times(loss, factor, where);
}

Tensor LossScale::unscaled(const Tensor& tensor, Location where) const {
  return tensor.defined() ? times(tensor, 1 / factor, where) : tensor;
}

namespace {

// What is multiplied is no op of the model's: autocast has no say in it.
Tensor times_tensor(const Tensor& tensor, const Tensor& factor, Location where) {
  const dispatch::ExcludeKeys as_it_is(dispatch::Key::autocast);
  const bool is_narrow = is_16_bit_float(tensor.dtype());
  const Tensor wide = is_narrow ? cast({tensor, where}, f32) : tensor;
  return mul({wide, where}, cast({factor, where}, wide.dtype()));
}

}  // namespace

DynamicLossScale::DynamicLossScale(const DynamicLossScaleOptions& options_, Device device,
                                   Location where)
    : factor(full({}, options_.factor, f32, device, where)),
      good_steps(zeros({}, i64, device, where)),
      skipped(zeros({}, i64, device, where)),
      options(options_) {
  const auto& o = options;
  RIDGE_CHECK(0 < o.backoff && o.backoff < 1 && 1 < o.growth && o.growth_interval > 0,
              .code = ErrorCode::value, .op = "DynamicLossScale",
              .expected = "a backoff below 1, a growth above it and an interval above 0",
              .given = concat(o.backoff, ", ", o.growth, " and ", o.growth_interval),
              .where = where);
  RIDGE_CHECK(0 < o.least && o.least <= o.factor && o.factor <= o.most, .code = ErrorCode::value,
              .op = "DynamicLossScale", .expected = "a positive factor between its bounds",
              .given = concat(o.factor, " between ", o.least, " and ", o.most), .where = where);
}

Tensor DynamicLossScale::scaled(const Tensor& loss, Location where) const {
  return times_tensor(loss, factor, where);
}

Tensor DynamicLossScale::unscaled(const Tensor& tensor, Location where) const {
  if (!tensor.defined()) return tensor;
  return times_tensor(tensor, reciprocal({factor, where}), where);
}

void DynamicLossScale::adjust(const Tensor& is_good, Location at) {
  RIDGE_CHECK(is_good.defined() && is_good.shape().empty() && is_boolean(is_good.dtype()),
              .code = ErrorCode::value, .op = "DynamicLossScale",
              .expected = "a 0-d bool tensor that says whether the step was made",
              .given = describe(is_good), .where = at);
  const LayerScope named = scope("loss_scale");
  const dispatch::ValuesOnly values_only;
  const Tensor in_a_row = where({is_good, at}, add({good_steps, at}, 1), 0);
  const Tensor grows = greater_equal({in_a_row, at}, options.growth_interval);
  const Tensor larger = minimum({mul({factor, at}, options.growth), at}, options.most);
  const Tensor smaller = maximum({mul({factor, at}, options.backoff), at}, options.least);
  const Tensor kept = where({grows, at}, larger, factor);
  copy_({factor, at}, where({is_good, at}, kept, smaller));
  copy_({good_steps, at}, where({grows, at}, 0, in_a_row));
  copy_({skipped, at}, add({skipped, at}, where({is_good, at}, 0, 1)));
}

}  // namespace ridge::nn

#include "ridge/nn/loss_scale.h"

#include <cmath>

#include "ridge/base/text.h"
#include "ridge/dispatch/thread_state.h"
#include "ridge/ops/arithmetic.h"

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

}  // namespace ridge::nn

#include "ridge/nn/update_loop.h"

#include "ridge/base/text.h"
#include "ridge/ops/arithmetic.h"
#include "ridge/ops/comparison.h"

namespace ridge::nn {

namespace {

Tensor as(const Tensor& tensor, DType dtype, Location where) {
  return tensor.dtype() == dtype ? tensor : cast({tensor, where}, dtype);
}

}  // namespace

UpdateLoop::UpdateLoop(const char* name, const Update& update)
    : name_(name), update_(update), named_(scope(name)) {
  check();
  set(update.step, add({update.step, update.where}, 1));
}

void UpdateLoop::check() const {
  const Tensor& condition = update_.condition;
  RIDGE_CHECK(update_.parameters.size() == update_.gradients.size(), .code = ErrorCode::value,
              .op = name_,
              .expected = concat(update_.parameters.size(), " gradients, in the form of the model"),
              .given = concat(update_.gradients.size()), .where = update_.where);
  RIDGE_CHECK(!condition.defined() || (condition.shape().empty() && is_boolean(condition.dtype())),
              .code = ErrorCode::value, .op = name_,
              .expected = "a condition that is a 0-d bool tensor", .given = describe(condition),
              .hint = "reduce it, for instance by all", .where = update_.where);
  for (size_t i = 0; i < update_.parameters.size(); ++i) {
    const Tensor &parameter = *update_.parameters[i], &gradient = *update_.gradients[i];
    RIDGE_CHECK(
        !parameter.defined() || !gradient.defined() || parameter.shape() == gradient.shape(),
        .code = ErrorCode::shape, .op = name_,
        .expected = concat("a gradient of the shape of its parameter, ", describe(parameter)),
        .given = describe(gradient), .where = update_.where);
  }
}

const ParameterGroups::Numbers& UpdateLoop::numbers(size_t tensor) const {
  return update_.groups.numbers[update_.groups.of(tensor)];
}

const Tensor& UpdateLoop::PerGroup::of(size_t tensor) const {
  const bool is_wide = loop_.dtype(tensor) == f64;
  return (is_wide ? wide_ : narrow_)[loop_.update_.groups.of(tensor)];
}

UpdateLoop::PerGroup UpdateLoop::per_group(
    const std::function<Tensor(const Numbers&, const Tensor& rate)>& make) const {
  const Location where = update_.where;
  const Tensor rate = as(update_.learning_rate, f64, where);
  PerGroup result(*this);
  for (const Numbers& numbers : update_.groups.numbers) {
    const bool is_plain = numbers.rate_factor == 1;
    result.wide_.push_back(
        make(numbers, is_plain ? rate : mul({rate, where}, numbers.rate_factor)));
    result.narrow_.push_back(cast({result.wide_.back(), where}, f32));
  }
  return result;
}

void UpdateLoop::for_each(const std::function<void(size_t)>& f) const {
  for (size_t i = 0; i < update_.parameters.size(); ++i) {
    const Tensor& parameter = *update_.parameters[i];
    if (!parameter.defined() || !is_floating(parameter.dtype())) continue;
    if (update_.gradients[i]->defined() && numbers(i).rate_factor != 0) f(i);
  }
}

Tensor UpdateLoop::steps() const {
  const Location where = update_.where;
  return cast({update_.step, where}, f64);
}

DType UpdateLoop::dtype(size_t tensor) const {
  const DType own = update_.parameters[tensor]->dtype();
  return is_16_bit_float(own) ? f32 : own;
}

const Tensor* UpdateLoop::master(size_t tensor) const {
  const bool is_kept = tensor < update_.masters.size() && update_.masters[tensor]->defined();
  return is_kept ? update_.masters[tensor] : nullptr;
}

Tensor UpdateLoop::value(size_t tensor) const {
  if (const Tensor* kept = master(tensor)) return *kept;
  return as(*update_.parameters[tensor], dtype(tensor), update_.where);
}

Tensor UpdateLoop::gradient(size_t tensor) const {
  return as(*update_.gradients[tensor], dtype(tensor), update_.where);
}

void UpdateLoop::set(size_t tensor, const Tensor& value) const {
  if (const Tensor* kept = master(tensor)) set(*kept, value);
  set(*update_.parameters[tensor], value);
}

void UpdateLoop::set(const Tensor& state, const Tensor& value) const {
  const Location at = update_.where;
  if (!update_.condition.defined()) {
    copy_({state, at}, value);
    return;
  }
  // A choice, because the value may be a NaN, which no factor would make go away.
  const Tensor rounded = as(value, state.dtype(), at);
  copy_({state, at}, where({update_.condition, at}, rounded, state));
}

}  // namespace ridge::nn

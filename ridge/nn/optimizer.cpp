#include "ridge/nn/optimizer.h"

#include "ridge/base/text.h"
#include "ridge/capture/scope.h"
#include "ridge/dispatch/thread_state.h"
#include "ridge/ops/arithmetic.h"
#include "ridge/ops/creation.h"
#include "ridge/ops/unary.h"
#include "ridge/ops/view.h"

namespace ridge::nn {

namespace {

using List = std::vector<Tensor*>;

bool is_parameter(const Tensor& tensor) { return tensor.defined() && is_floating(tensor.dtype()); }

DType state_dtype(const Tensor& parameter) {
  return is_16_bit_float(parameter.dtype()) ? f32 : parameter.dtype();
}

Device device_of(const List& tensors) {
  for (const Tensor* tensor : tensors) {
    if (tensor->defined()) return tensor->device();
  }
  return kCpu;
}

// Calls f(number) for each parameter that has a gradient.
template <class F>
void for_each_parameter(const char* name, const List& parameters, const List& gradients,
                        Location where, F&& f) {
  RIDGE_CHECK(parameters.size() == gradients.size(), .code = ErrorCode::value, .op = name,
              .expected = concat(parameters.size(), " gradients, in the form of the model"),
              .given = concat(gradients.size()), .where = where);
  const dispatch::GradMode values_only(false);
  for (size_t i = 0; i < parameters.size(); ++i) {
    if (is_parameter(*parameters[i]) && gradients[i]->defined()) f(i);
  }
}

Tensor as(const Tensor& tensor, DType dtype, Location where) {
  return tensor.dtype() == dtype ? tensor : cast({tensor, where}, dtype);
}

// A 0-d tensor in f64, and as the f32 that most parameters want, cast once for all of them.
class ScalarTensor {
 public:
  ScalarTensor(Tensor value, Location where)
      : wide_(std::move(value)), narrow_(cast({wide_, where}, f32)) {}
  const Tensor& as(DType dtype) const { return dtype == f64 ? wide_ : narrow_; }

 private:
  Tensor wide_;
  Tensor narrow_;
};

}  // namespace

namespace detail {

void become_state(const List& tensors, bool is_kept) {
  for (Tensor* tensor : tensors) {
    *tensor = is_kept && is_parameter(*tensor)
                  ? zeros(tensor->shape(), state_dtype(*tensor), tensor->device())
                  : Tensor();
  }
}

Tensor number_beside(const List& tensors, double value) {
  return full({}, value, f64, device_of(tensors));
}

Tensor count_beside(const List& tensors) { return zeros({}, i64, device_of(tensors)); }

}  // namespace detail

void update_sgd(const List& parameters, const List& gradients, const List& velocities,
                const Tensor& learning_rate, const SgdOptions& options, Location where) {
  const LayerScope named = scope("sgd");
  const dispatch::GradMode values_only(false);
  const ScalarTensor rate(cast({learning_rate, where}, f64), where);
  for_each_parameter("Sgd", parameters, gradients, where, [&](size_t i) {
    const Tensor& parameter = *parameters[i];
    const Tensor& velocity = *velocities[i];
    const DType dtype = state_dtype(parameter);
    const Tensor value = as(parameter, dtype, where);
    Tensor step = as(*gradients[i], dtype, where);
    if (options.weight_decay != 0) {
      step = add({step, where}, mul({value, where}, options.weight_decay));
    }
    if (options.momentum != 0) {
      mul_({velocity, where}, options.momentum);
      add_({velocity, where}, step);
      step = options.is_nesterov ? add({step, where}, mul({velocity, where}, options.momentum))
                                 : velocity;
    }
    copy_({parameter, where}, sub({value, where}, mul({step, where}, rate.as(dtype))));
  });
}

void update_adamw(const List& parameters, const List& gradients, const List& first_moments,
                  const List& second_moments, const Tensor& learning_rate, const Tensor& step,
                  const AdamWOptions& options, Location where) {
  const LayerScope named = scope("adamw");
  const dispatch::GradMode values_only(false);
  add_({step, where}, 1);
  // In f64, because 1 - beta2^t is the small difference of two numbers near 1.
  const Tensor t = cast({step, where}, f64);
  const Tensor rate = cast({learning_rate, where}, f64);
  const Tensor correction1 = sub({1.0, where}, pow({options.beta1, where}, t));
  const Tensor correction2 = sub({1.0, where}, pow({options.beta2, where}, t));
  const ScalarTensor step_size(div({rate, where}, correction1), where);
  const ScalarTensor second_scale(rsqrt({correction2, where}), where);
  const ScalarTensor kept(sub({1.0, where}, mul({rate, where}, options.weight_decay)), where);

  for_each_parameter("AdamW", parameters, gradients, where, [&](size_t i) {
    const Tensor& parameter = *parameters[i];
    const Tensor& first = *first_moments[i];
    const Tensor& second = *second_moments[i];
    const DType dtype = state_dtype(parameter);
    const Tensor gradient = as(*gradients[i], dtype, where);
    mul_({first, where}, options.beta1);
    add_({first, where}, mul({gradient, where}, 1 - options.beta1));
    mul_({second, where}, options.beta2);
    add_({second, where}, mul({square({gradient, where}), where}, 1 - options.beta2));
    const Tensor root = mul({sqrt({second, where}), where}, second_scale.as(dtype));
    const Tensor change =
        div({mul({first, where}, step_size.as(dtype)), where}, add({root, where}, options.eps));
    const Tensor decayed = mul({as(parameter, dtype, where), where}, kept.as(dtype));
    copy_({parameter, where}, sub({decayed, where}, change));
  });
}

}  // namespace ridge::nn

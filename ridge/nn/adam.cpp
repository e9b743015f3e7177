#include "ridge/nn/adam.h"

#include "ridge/nn/update_loop.h"
#include "ridge/ops/arithmetic.h"
#include "ridge/ops/unary.h"

namespace ridge::nn {

namespace {

using List = std::vector<Tensor*>;

template <class Options>
void check_numbers(const char* name, const Options& options, Location where) {
  const OptimizerNumbers numbers{name, where};
  numbers.check_rate("learning_rate", options.learning_rate);
  numbers.check_share("beta1", options.beta1);
  numbers.check_share("beta2", options.beta2);
  numbers.check_rate("eps", options.eps);
  numbers.check_rate("weight_decay", options.weight_decay);
}

template <class Options>
void update_by_moments(const char* name, bool is_decoupled, const Update& update,
                       const List& first_moments, const List& second_moments,
                       const Options& options) {
  const Location where = update.where;
  const UpdateLoop loop(name, update);
  // In f64, because 1 - beta2^t is the small difference of two numbers near 1.
  const Tensor t = loop.steps();
  const Tensor correction1 = sub({1.0, where}, pow({options.beta1, where}, t));
  const Tensor correction2 = sub({1.0, where}, pow({options.beta2, where}, t));
  const Tensor second = rsqrt({correction2, where});
  const auto step_size = loop.per_group(
      [&](const auto&, const Tensor& rate) { return div({rate, where}, correction1); });
  const auto second_scale = loop.per_group([&](const auto&, const Tensor&) { return second; });
  // A factor of 1 too, so that groups with and without decay run the same kernel.
  const auto kept = loop.per_group([&](const UpdateLoop::Numbers& numbers, const Tensor& rate) {
    return sub({1.0, where}, mul({rate, where}, is_decoupled ? numbers.weight_decay : 0.0));
  });

  loop.for_each([&](size_t i) {
    const Tensor value = loop.value(i);
    const double decay = is_decoupled ? 0 : loop.numbers(i).weight_decay;
    Tensor gradient = loop.gradient(i);
    if (decay != 0) gradient = add({gradient, where}, mul({value, where}, decay));
    const Tensor m = add({mul({*first_moments[i], where}, options.beta1), where},
                         mul({gradient, where}, 1 - options.beta1));
    const Tensor v = add({mul({*second_moments[i], where}, options.beta2), where},
                         mul({square({gradient, where}), where}, 1 - options.beta2));
    const Tensor root = mul({sqrt({v, where}), where}, second_scale.of(i));
    const Tensor change =
        div({mul({m, where}, step_size.of(i)), where}, add({root, where}, options.eps));
    const Tensor decayed = is_decoupled ? mul({value, where}, kept.of(i)) : value;
    loop.set(i, sub({decayed, where}, change));
    loop.set(*first_moments[i], m);
    loop.set(*second_moments[i], v);
  });
}

}  // namespace

void check_options(const AdamOptions& options, Location where) {
  check_numbers("Adam", options, where);
}

void check_options(const AdamWOptions& options, Location where) {
  check_numbers("AdamW", options, where);
}

void update_adam(const Update& update, const List& first_moments, const List& second_moments,
                 const AdamOptions& options) {
  update_by_moments("adam", false, update, first_moments, second_moments, options);
}

void update_adamw(const Update& update, const List& first_moments, const List& second_moments,
                  const AdamWOptions& options) {
  update_by_moments("adamw", true, update, first_moments, second_moments, options);
}

}  // namespace ridge::nn

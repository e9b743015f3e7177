#include "ridge/nn/optimizer.h"

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
  const auto kept_share =
      loop.per_group([&](const UpdateLoop::Numbers& numbers, const Tensor& rate) {
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
    const Tensor decayed = is_decoupled ? mul({value, where}, kept_share.of(i)) : value;
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

void check_options(const SgdOptions& options, Location where) {
  const OptimizerNumbers numbers{"Sgd", where};
  numbers.check_rate("learning_rate", options.learning_rate);
  numbers.check_share("momentum", options.momentum);
  numbers.check_rate("weight_decay", options.weight_decay);
  RIDGE_CHECK(!options.is_nesterov || options.momentum > 0, .code = ErrorCode::value, .op = "Sgd",
              .expected = "momentum above 0, which Nesterov's form looks ahead by", .given = "0",
              .where = where);
}

void update_sgd(const Update& update, const std::vector<Tensor*>& velocities,
                const SgdOptions& options) {
  const Location where = update.where;
  const UpdateLoop loop("sgd", update);
  const auto rate = loop.per_group([](const auto&, const Tensor& of_group) { return of_group; });
  loop.for_each([&](size_t i) {
    const Tensor value = loop.value(i);
    const double decay = loop.numbers(i).weight_decay;
    Tensor step = loop.gradient(i);
    if (decay != 0) step = add({step, where}, mul({value, where}, decay));
    if (options.momentum != 0) {
      const Tensor& velocity = *velocities[i];
      const Tensor next = add({mul({velocity, where}, options.momentum), where}, step);
      step = options.is_nesterov ? add({step, where}, mul({next, where}, options.momentum)) : next;
      loop.set(velocity, next);
    }
    loop.set(i, sub({value, where}, mul({step, where}, rate.of(i))));
  });
}

void check_options(const LionOptions& options, Location where) {
  const OptimizerNumbers numbers{"Lion", where};
  numbers.check_rate("learning_rate", options.learning_rate);
  numbers.check_share("beta1", options.beta1);
  numbers.check_share("beta2", options.beta2);
  numbers.check_rate("weight_decay", options.weight_decay);
}

void update_lion(const Update& update, const std::vector<Tensor*>& momenta,
                 const LionOptions& options) {
  const Location where = update.where;
  const UpdateLoop loop("lion", update);
  const auto mixture = [&](const Tensor& old, const Tensor& gradient, double beta) {
    return add({mul({old, where}, beta), where}, mul({gradient, where}, 1 - beta));
  };
  const auto rate = loop.per_group([](const auto&, const Tensor& of_group) { return of_group; });
  const auto decay =
      loop.per_group([&](const UpdateLoop::Numbers& numbers, const Tensor& of_group) {
        return sub({1.0, where}, mul({of_group, where}, numbers.weight_decay));
      });
  loop.for_each([&](size_t i) {
    const Tensor gradient = loop.gradient(i), momentum = *momenta[i];
    const Tensor direction = sign({mixture(momentum, gradient, options.beta1), where});
    const Tensor decayed = mul({loop.value(i), where}, decay.of(i));
    loop.set(i, sub({decayed, where}, mul({direction, where}, rate.of(i))));
    loop.set(momentum, mixture(momentum, gradient, options.beta2));
  });
}

}  // namespace ridge::nn

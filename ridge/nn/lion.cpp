#include "ridge/nn/lion.h"

#include "ridge/nn/update_loop.h"
#include "ridge/ops/arithmetic.h"

namespace ridge::nn {

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
  const auto kept = loop.per_group([&](const UpdateLoop::Numbers& numbers, const Tensor& of_group) {
    return sub({1.0, where}, mul({of_group, where}, numbers.weight_decay));
  });
  loop.for_each([&](size_t i) {
    const Tensor gradient = loop.gradient(i), momentum = *momenta[i];
    const Tensor direction = sign({mixture(momentum, gradient, options.beta1), where});
    const Tensor decayed = mul({loop.value(i), where}, kept.of(i));
    loop.set(i, sub({decayed, where}, mul({direction, where}, rate.of(i))));
    loop.set(momentum, mixture(momentum, gradient, options.beta2));
  });
}

}  // namespace ridge::nn

#include "ridge/nn/sgd.h"

#include "ridge/nn/update_loop.h"
#include "ridge/ops/arithmetic.h"

namespace ridge::nn {

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

}  // namespace ridge::nn

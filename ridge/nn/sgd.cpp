#include "ridge/nn/sgd.h"

#include "ridge/nn/update_walk.h"
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
  const UpdateWalk walk("sgd", update);
  const auto rate = walk.per_group([](const auto&, const Tensor& of_group) { return of_group; });
  walk.for_each([&](size_t i) {
    const Tensor value = walk.value(i);
    const double decay = walk.numbers(i).weight_decay;
    Tensor step = walk.gradient(i);
    if (decay != 0) step = add({step, where}, mul({value, where}, decay));
    if (options.momentum != 0) {
      const Tensor& velocity = *velocities[i];
      const Tensor next = add({mul({velocity, where}, options.momentum), where}, step);
      step = options.is_nesterov ? add({step, where}, mul({next, where}, options.momentum)) : next;
      walk.set(velocity, next);
    }
    walk.set(i, sub({value, where}, mul({step, where}, rate.of(i))));
  });
}

}  // namespace ridge::nn

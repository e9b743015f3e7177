// Lion: the sign of a mixture of momentum and gradient, so that one state is enough.
#pragma once

#include "ridge/nn/update.h"

namespace ridge::nn {

struct LionOptions {
  double learning_rate = 1e-4;
  double beta1 = 0.9;       // of the mixture whose sign is taken
  double beta2 = 0.99;      // of the momentum that is kept
  double weight_decay = 0;  // decoupled, as in AdamW
  bool keeps_masters = false;
};
// Error{value} unless rate and decay are finite and at least 0, and the betas at least 0 and below 1.
void check_options(const LionOptions& options, Location where);
void update_lion(const Update& update, const std::vector<Tensor*>& momenta,
                 const LionOptions& options);

// p = p * (1 - learning_rate * weight_decay) - learning_rate * sign(beta1 * m + (1 - beta1) * g)
// m = beta2 * m + (1 - beta2) * g
template <class Model>
struct Lion {
  Tensor learning_rate;
  Tensor step;  // i64, how many updates were made
  Model momentum;
  Model master;
  LionOptions options;  // its learning rate and weight decay are those it started with
  ParameterGroups groups;

  explicit Lion(Model model, LionOptions options_ = {}, const std::vector<ParameterGroup>& own = {},
                Location where = Location::current())
      : learning_rate(detail::number_beside(detail::tensors_of(model), options_.learning_rate)),
        step(detail::count_beside(detail::tensors_of(model))),
        momentum(state_like(model)),
        master(masters_like(model, options_.keeps_masters)),
        options(options_),
        groups(model, own, options_.weight_decay, {"Lion", where}) {
    check_options(options, where);
  }

  void update(Model& model, Model gradient, Location where = Location::current()) {
    update_if({}, model, std::move(gradient), where);
  }
  void update_if(const Tensor& condition, Model& model, Model gradient,
                 Location where = Location::current()) {
    update_lion({detail::tensors_of(model), detail::tensors_of(gradient),
                 detail::tensors_of(master), groups, learning_rate, step, condition, where},
                detail::tensors_of(momentum), options);
  }

  static void visit_tensors(auto& self, auto&& visit) {
    visit("learning_rate", self.learning_rate);
    visit("step", self.step);
    visit("momentum", self.momentum);
    visit("master", self.master);
    visit("groups", self.groups);
    detail::visit_number(visit, "beta1", self.options.beta1);
    detail::visit_number(visit, "beta2", self.options.beta2);
  }
};

}  // namespace ridge::nn

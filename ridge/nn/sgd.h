// Gradient descent, with momentum or without.
#pragma once

#include "ridge/nn/update.h"

namespace ridge::nn {

struct SgdOptions {
  double learning_rate = 0.01;
  double momentum = 0;
  double weight_decay = 0;  // added to the gradient, as a penalty on the squares would be
  bool is_nesterov = false;
  bool keeps_masters = false;
};
// Error{value} unless the rate is finite and at least 0, as the decay, and momentum at least 0 and below
// 1, above 0 for Nesterov's form.
void check_options(const SgdOptions& options, Location where);
void update_sgd(const Update& update, const std::vector<Tensor*>& velocities,
                const SgdOptions& options);

// v = momentum * v + g;  p -= learning_rate * v
template <class Model>
struct Sgd {
  Tensor learning_rate;
  Tensor step;  // i64, how many updates were made
  Model velocity;
  Model master;
  SgdOptions options;  // its learning rate and weight decay are those it started with
  ParameterGroups groups;

  explicit Sgd(Model model, SgdOptions options_ = {}, const std::vector<ParameterGroup>& own = {},
               Location where = Location::current())
      : learning_rate(detail::number_beside(detail::tensors_of(model), options_.learning_rate)),
        step(detail::count_beside(detail::tensors_of(model))),
        velocity(state_like(model, options_.momentum != 0)),
        master(masters_like(model, options_.keeps_masters)),
        options(options_),
        groups(model, own, options_.weight_decay, {"Sgd", where}) {
    check_options(options, where);
  }

  void update(Model& model, Model gradient, Location where = Location::current()) {
    update_if({}, model, std::move(gradient), where);
  }
  void update_if(const Tensor& condition, Model& model, Model gradient,
                 Location where = Location::current()) {
    update_sgd({detail::tensors_of(model), detail::tensors_of(gradient), detail::tensors_of(master),
                groups, learning_rate, step, condition, where},
               detail::tensors_of(velocity), options);
  }

  static void visit_tensors(auto& self, auto&& visit) {
    visit("learning_rate", self.learning_rate);
    visit("step", self.step);
    visit("velocity", self.velocity);
    visit("master", self.master);
    visit("groups", self.groups);
    detail::visit_number(visit, "momentum", self.options.momentum);
    visit("is_nesterov", self.options.is_nesterov);
  }
};

}  // namespace ridge::nn

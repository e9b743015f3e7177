// Adam and AdamW: steps scaled by the root of the mean square of each gradient.
#pragma once

#include "ridge/nn/update.h"

namespace ridge::nn {

struct AdamOptions {
  double learning_rate = 1e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double eps = 1e-8;
  double weight_decay = 0;  // added to the gradient, as a penalty on the squares would be
  bool keeps_masters = false;
};

struct AdamWOptions {
  double learning_rate = 1e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double eps = 1e-8;
  double weight_decay = 0.01;  // decoupled: the parameter shrinks by learning_rate * this
  bool keeps_masters = false;
};

// Error{value} unless rate, eps and decay are finite and at least 0, and the betas at least 0 and below 1.
void check_options(const AdamOptions& options, Location where);
void check_options(const AdamWOptions& options, Location where);
void update_adam(const Update& update, const std::vector<Tensor*>& first_moments,
                 const std::vector<Tensor*>& second_moments, const AdamOptions& options);
void update_adamw(const Update& update, const std::vector<Tensor*>& first_moments,
                  const std::vector<Tensor*>& second_moments, const AdamWOptions& options);

namespace detail {

// The two differ in what they do with weight decay alone.
template <class Model, class Options>
struct AdamState {
  Tensor learning_rate;
  Tensor step;  // i64, how many updates were made
  Model first_moment;
  Model second_moment;
  Model master;
  Options options;  // its learning rate and weight decay are those it started with
  ParameterGroups groups;

  AdamState(Model model, const Options& options_, const std::vector<ParameterGroup>& own,
            const char* name, Location where)
      : learning_rate(number_beside(tensors_of(model), options_.learning_rate)),
        step(count_beside(tensors_of(model))),
        first_moment(state_like(model)),
        second_moment(state_like(model)),
        master(masters_like(model, options_.keeps_masters)),
        options(options_),
        groups(model, own, options_.weight_decay, {name, where}) {
    check_options(options, where);
  }

  void update(Model& model, Model gradient, Location where = Location::current()) {
    update_if({}, model, std::move(gradient), where);
  }
  void update_if(const Tensor& condition, Model& model, Model gradient,
                 Location where = Location::current()) {
    const Update update{tensors_of(model),  tensors_of(gradient),
                        tensors_of(master), groups,
                        learning_rate,      step,
                        condition,          where};
    if constexpr (std::same_as<Options, AdamWOptions>) {
      update_adamw(update, tensors_of(first_moment), tensors_of(second_moment), options);
    } else {
      update_adam(update, tensors_of(first_moment), tensors_of(second_moment), options);
    }
  }

  static void visit_tensors(auto& self, auto&& visit) {
    visit("learning_rate", self.learning_rate);
    visit("step", self.step);
    visit("first_moment", self.first_moment);
    visit("second_moment", self.second_moment);
    visit("master", self.master);
    visit("groups", self.groups);
    visit_number(visit, "beta1", self.options.beta1);
    visit_number(visit, "beta2", self.options.beta2);
    visit_number(visit, "eps", self.options.eps);
  }
};

}  // namespace detail

// m = beta1 * m + (1 - beta1) * g;  v = beta2 * v + (1 - beta2) * g^2;  t counts from 1
// p -= learning_rate * (m / (1 - beta1^t)) / (sqrt(v / (1 - beta2^t)) + eps)
template <class Model>
struct Adam : detail::AdamState<Model, AdamOptions> {
  explicit Adam(Model model, AdamOptions options_ = {}, const std::vector<ParameterGroup>& own = {},
                Location where = Location::current())
      : detail::AdamState<Model, AdamOptions>(std::move(model), options_, own, "Adam", where) {}
};

// The same, after p *= 1 - learning_rate * weight_decay
template <class Model>
struct AdamW : detail::AdamState<Model, AdamWOptions> {
  explicit AdamW(Model model, AdamWOptions options_ = {},
                 const std::vector<ParameterGroup>& own = {}, Location where = Location::current())
      : detail::AdamState<Model, AdamWOptions>(std::move(model), options_, own, "AdamW", where) {}
};

}  // namespace ridge::nn

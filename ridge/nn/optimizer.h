// Optimizers: state that is an argument like the model, and an update made of ops.
//
//   AdamW optimizer(model, {.learning_rate = 1e-3});
//   auto step = compile([](Model& model, AdamW<Model>& optimizer, const Tensor& x) {
//     auto [value, gradient] = value_and_grad(loss)(model, x);
//     optimizer.update(model, gradient);
//     return value;
//   });
//
// `update` writes parameters and state in place, so in a captured step they are updated inputs of
// one program; called on real tensors it runs at once. Parameters are the floating tensors of the
// model; one whose gradient is undefined is left alone. State has the form of the model, in f32 for
// 16-bit parameters.
//
// The learning rate and the count of steps are 0-d tensors: `fill_(optimizer.learning_rate, 1e-4)`
// needs no new capture. The other numbers are part of the signature: changing one captures again.
#pragma once

#include <bit>
#include <vector>

#include "ridge/core/visit_tensors.h"

namespace ridge::nn {

namespace detail {

struct TensorPointers {
  std::vector<Tensor*> tensors;
  void tensor(NoPath, Tensor& tensor) { tensors.push_back(&tensor); }
  void number(NoPath, int64_t) {}
};

template <class Model>
std::vector<Tensor*> tensors_of(Model& model) {
  TensorPointers pointers;
  visit_value(model, pointers, NoPath());
  return std::move(pointers.tensors);
}

// Visits a number by its bits, so that it is part of the signature.
void visit_number(auto&& visit, const char* name, double value) {
  const int64_t bits = std::bit_cast<int64_t>(value);
  visit(name, bits);
}

// Zeros in the place of every parameter if it is kept, nothing in that of other tensors.
void become_state(const std::vector<Tensor*>& tensors, bool is_kept);
// A 0-d f64 tensor beside the first of the tensors.
Tensor number_beside(const std::vector<Tensor*>& tensors, double value);
Tensor count_beside(const std::vector<Tensor*>& tensors);

}  // namespace detail

// Zeros in the form of the model; undefined tensors where the optimizer keeps no such state.
template <class Model>
Model state_like(const Model& model, bool is_kept = true) {
  Model state = model;
  detail::become_state(detail::tensors_of(state), is_kept);
  return state;
}

struct SgdOptions {
  double learning_rate = 0.01;
  double momentum = 0;
  double weight_decay = 0;  // added to the gradient, as a penalty on the squares would be
  bool is_nesterov = false;
};
void update_sgd(const std::vector<Tensor*>& parameters, const std::vector<Tensor*>& gradients,
                const std::vector<Tensor*>& velocities, const Tensor& learning_rate,
                const SgdOptions& options, Location where);

// v = momentum * v + g;  p -= learning_rate * v
template <class Model>
struct Sgd {
  Tensor learning_rate;
  Model velocity;
  SgdOptions options;  // its learning rate is the one it started with

  explicit Sgd(Model model, SgdOptions options_ = {})
      : learning_rate(detail::number_beside(detail::tensors_of(model), options_.learning_rate)),
        velocity(state_like(model, options_.momentum != 0)),
        options(options_) {}

  void update(Model& model, Model gradient, Location where = Location::current()) {
    update_sgd(detail::tensors_of(model), detail::tensors_of(gradient),
               detail::tensors_of(velocity), learning_rate, options, where);
  }

  static void visit_tensors(auto& self, auto&& visit) {
    visit("learning_rate", self.learning_rate);
    visit("velocity", self.velocity);
    detail::visit_number(visit, "momentum", self.options.momentum);
    detail::visit_number(visit, "weight_decay", self.options.weight_decay);
    visit("is_nesterov", self.options.is_nesterov);
  }
};

struct AdamWOptions {
  double learning_rate = 1e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double eps = 1e-8;
  double weight_decay = 0.01;  // decoupled: the parameter shrinks by learning_rate * this
};
void update_adamw(const std::vector<Tensor*>& parameters, const std::vector<Tensor*>& gradients,
                  const std::vector<Tensor*>& first_moments,
                  const std::vector<Tensor*>& second_moments, const Tensor& learning_rate,
                  const Tensor& step, const AdamWOptions& options, Location where);

// m = beta1 * m + (1 - beta1) * g;  v = beta2 * v + (1 - beta2) * g^2;  t counts from 1
// p = p * (1 - learning_rate * weight_decay)
//     - learning_rate * (m / (1 - beta1^t)) / (sqrt(v / (1 - beta2^t)) + eps)
template <class Model>
struct AdamW {
  Tensor learning_rate;
  Tensor step;  // i64, how many updates were made
  Model first_moment;
  Model second_moment;
  AdamWOptions options;

  explicit AdamW(Model model, AdamWOptions options_ = {})
      : learning_rate(detail::number_beside(detail::tensors_of(model), options_.learning_rate)),
        step(detail::count_beside(detail::tensors_of(model))),
        first_moment(state_like(model)),
        second_moment(state_like(model)),
        options(options_) {}

  void update(Model& model, Model gradient, Location where = Location::current()) {
    update_adamw(detail::tensors_of(model), detail::tensors_of(gradient),
                 detail::tensors_of(first_moment), detail::tensors_of(second_moment), learning_rate,
                 step, options, where);
  }

  static void visit_tensors(auto& self, auto&& visit) {
    visit("learning_rate", self.learning_rate);
    visit("step", self.step);
    visit("first_moment", self.first_moment);
    visit("second_moment", self.second_moment);
    detail::visit_number(visit, "beta1", self.options.beta1);
    detail::visit_number(visit, "beta2", self.options.beta2);
    detail::visit_number(visit, "eps", self.options.eps);
    detail::visit_number(visit, "weight_decay", self.options.weight_decay);
  }
};

}  // namespace ridge::nn

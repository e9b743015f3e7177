// What all optimizers share: state in the form of a model, and the arguments of an update.
//
// Lists of tensors are those of a model in visiting order without its buffers (core/visit_tensors.h), so
// buffers have no gradient, no state, no decay and no place in a norm.
#pragma once

#include <vector>

#include "ridge/nn/parameter_groups.h"

namespace ridge::nn {

namespace detail {

struct TensorPointers {
  std::vector<Tensor*> tensors, buffers;
  void tensor(NoPath, Tensor& tensor) { tensors.push_back(&tensor); }
  void buffer(NoPath, Tensor& tensor) { buffers.push_back(&tensor); }
  void number(NoPath, int64_t) {}
};

template <class Model>
TensorPointers pointers_into(Model& model) {
  TensorPointers pointers;
  visit_value(model, pointers, NoPath());
  return pointers;
}
template <class Model>
std::vector<Tensor*> tensors_of(Model& model) {
  return pointers_into(model).tensors;
}
template <class Model>
std::vector<Tensor*> buffers_of(Model& model) {
  return pointers_into(model).buffers;
}

// The form of a model for something of its parameters alone: undefined tensors in place of buffers.
template <class Model>
Model without_buffers(Model model) {
  for (Tensor* buffer : buffers_of(model)) *buffer = Tensor();
  return model;
}

// Zeros in the place of every parameter if it is kept, nothing in that of other tensors.
void become_state(const std::vector<Tensor*>& tensors, bool is_kept);
// A copy in f32 in the place of every 16-bit parameter if it is kept, nothing elsewhere.
void become_masters(const std::vector<Tensor*>& tensors, bool is_kept);
// A 0-d f64 tensor beside the first of the tensors.
Tensor number_beside(const std::vector<Tensor*>& tensors, double value);
Tensor count_beside(const std::vector<Tensor*>& tensors);

}  // namespace detail

// Zeros in the form of the model; undefined tensors where the optimizer keeps no such state.
template <class Model>
Model state_like(const Model& model, bool is_kept = true) {
  Model state = detail::without_buffers(model);
  detail::become_state(detail::tensors_of(state), is_kept);
  return state;
}

template <class Model>
Model masters_like(const Model& model, bool is_kept) {
  Model masters = detail::without_buffers(model);
  detail::become_masters(detail::tensors_of(masters), is_kept);
  return masters;
}

// One call of an update; lists are in the order of the model's tensors.
struct Update {
  std::vector<Tensor*> parameters;
  std::vector<Tensor*> gradients;
  std::vector<Tensor*> masters;  // empty: none
  const ParameterGroups& groups;
  const Tensor& learning_rate;
  const Tensor& step;
  Tensor condition{};  // 0-d bool; undefined: the update is made in any case
  Location where = Location::current();
};

}  // namespace ridge::nn

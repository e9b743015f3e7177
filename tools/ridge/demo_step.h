// One step of training, twice: as one compiled program, and op by op with eager gradients.
//
//   auto step = compile(train_step<Model>, {.name = "train_step"});
//   auto [loss, correct] = step(model, optimizer, images, labels);
//   auto [loss, correct] = eager_step(model, optimizer, images, labels);
//
// Both run the same objective and the same optimizer, and write model and optimizer in place.
#pragma once

#include <utility>
#include <vector>

#include "demo_model.h"
#include "ridge/aot/transforms.h"
#include "ridge/autograd/autograd.h"
#include "ridge/nn/optimizer.h"
#include "ridge/ops/view.h"

namespace ridge::command {

template <class Model>
std::pair<Tensor, Tensor> train_step(Model& model, nn::AdamW<Model>& optimizer,
                                     const Tensor& images, const Tensor& labels) {
  auto [value, gradient] = value_and_grad(objective<Model>)(model, images, labels);
  optimizer.update(model, gradient);
  return value;
}

template <class Model>
std::pair<Tensor, Tensor> eager_step(Model& model, nn::AdamW<Model>& optimizer,
                                     const Tensor& images, const Tensor& labels) {
  std::vector<Tensor> parameters;
  for_each_tensor(model, [&](const std::string&, Tensor& tensor) {
    set_requires_grad(tensor);
    parameters.push_back(tensor);
  });
  const std::pair<Tensor, Tensor> value = objective(model, images, labels);
  const std::vector<Tensor> found = gradients({value.first}, parameters);
  Model gradient = model;
  size_t next = 0;
  for_each_tensor(gradient, [&](const std::string&, Tensor& tensor) { tensor = found[next++]; });
  optimizer.update(model, gradient);
  return value;
}

// A struct of tensors with memory of its own: training it leaves the original as it is.
template <class T>
T copy_of(const T& original) {
  T copy = original;
  for_each_tensor(copy, [](const std::string&, Tensor& tensor) {
    if (tensor.defined()) tensor = clone(detach(tensor));
  });
  return copy;
}

}  // namespace ridge::command

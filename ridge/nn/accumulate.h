// Gradients of a batch that is taken in parts, one after the other: the memory of a part, and the
// gradient of the whole.
//
//   auto [loss, gradient] = accumulated_value_and_grad(objective, 4)(model, x, y);
//   optimizer.update(model, gradient);
//
// The rows of the tensors behind the first argument are cut into equal parts. Loss and gradients are the
// mean over the parts, which is that of the whole where the loss is a mean over rows. Gradients of 16-bit
// parameters are summed in f32, and stay that. The parts are a scan: the program does not grow with their
// number, and holds what one of them needs.
#pragma once

#include "ridge/aot/transforms.h"
#include "ridge/capture/control.h"
#include "ridge/nn/update.h"

namespace ridge::nn {

namespace detail {

using Sums = std::vector<Tensor>;  // of the gradients that there are, in the order of the model

void check_parts(int64_t parts, Location where);
// Each [n, ...] as [parts, n / parts, ...]. Error{shape} unless that comes out even.
std::vector<Tensor> cut_into_parts(const std::vector<Tensor>& tensors, int64_t parts,
                                   Location where);
// Zeros for each parameter, in f32 at least.
Sums zero_sums(const std::vector<Tensor*>& parameters, Location where);
Sums added(const Sums& sums, const std::vector<Tensor*>& gradients, Location where);
// Puts the means in the place of the gradients of a model.
void become_means(const std::vector<Tensor*>& gradients, const Sums& sums, int64_t parts,
                  Location where);
Tensor mean_loss(const Tensor& losses, Location where);

}  // namespace detail

// Of a function of a model and tensors that returns a loss, which is a 0-d tensor.
template <class F>
auto accumulated_value_and_grad(F f, int64_t parts, Location where = Location::current()) {
  detail::check_parts(parts, where);
  return [f = std::move(f), parts, where]<class Model>(const Model& model,
                                                       const std::same_as<Tensor> auto&... batch) {
    using Tensors = std::vector<Tensor>;
    const auto step = [&](const Tensors& sums, const Tensors& part) {
      return [&]<size_t... I>(std::index_sequence<I...>) {
        auto [loss, gradient] = value_and_grad(f, where)(model, part[I]...);
        return std::pair(detail::added(sums, detail::tensors_of(gradient), where), loss);
      }(std::make_index_sequence<sizeof...(batch)>());
    };
    Model gradient = model;
    const std::vector<Tensor*> places = detail::tensors_of(gradient);
    const auto [sums, losses] = scan(step, detail::zero_sums(places, where),
                                     detail::cut_into_parts({batch...}, parts, where), {}, where);
    detail::become_means(places, sums, parts, where);
    return std::pair(detail::mean_loss(losses, where), std::move(gradient));
  };
}

}  // namespace ridge::nn

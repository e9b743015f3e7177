// Loss scaling: gradients that fit into f16.
//
//   const nn::LossScale scale(1024);
//   auto step = compile([](Model& model, nn::AdamW<Model>& optimizer, const nn::LossScale& scale,
//                          const Tensor& x) {
//     const AutocastScope autocast(f16);
//     auto [loss, gradient] = nn::scaled_value_and_grad(objective, scale)(model, x);
//     optimizer.update(model, gradient);
//     return loss;
//   });
//
// Many gradients of activations are smaller than the least f16, 6e-8, and would be 0. With the loss
// multiplied by a factor all of them are, and dividing those of the parameters, in f32, gives back
// what they were: exactly, for a power of two. The factor is given and stays; it is part of a
// program's signature. One that finds itself is in dynamic_loss_scale.h. bf16 has the range of f32 and
// needs none of this.
#pragma once

#include "ridge/aot/transforms.h"
#include "ridge/nn/update.h"

namespace ridge::nn {

namespace detail {

template <class Scale, class Model>
Model unscaled(const Scale& scale, Model gradient, Location where) {
  for (Tensor* tensor : tensors_of(gradient)) *tensor = scale.unscaled(*tensor, where);
  return gradient;
}

}  // namespace detail

struct LossScale {
  double factor = 1;

  // Error{value} unless the factor is positive and finite.
  explicit LossScale(double factor, Location where = Location::current());

  // The loss, in f32 at least, times the factor.
  Tensor scaled(const Tensor& loss, Location where = Location::current()) const;
  // A scaled value or gradient as it was; undefined stays undefined.
  Tensor unscaled(const Tensor& tensor, Location where = Location::current()) const;
  // Of a whole model.
  template <class Model>
  Model unscaled(const Model& gradient, Location where = Location::current()) const {
    return detail::unscaled(*this, gradient, where);
  }

  static void visit_tensors(auto& self, auto&& visit) {
    detail::visit_number(visit, "factor", self.factor);
  }
};

// value_and_grad of a function with its loss scaled, by a LossScale or a DynamicLossScale: value and
// gradient come out unscaled. Gradients of 16-bit parameters are f32, as their optimizer state is.
template <class F, class Scale>
auto scaled_value_and_grad(F f, Scale scale, Location where = Location::current()) {
  return [f = std::move(f), scale = std::move(scale), where]<class First, class... Rest>(
             First&& first, Rest&&... rest) {
    const auto scaled = [&f, where](auto& by, const Scale& factor, auto&... args) {
      auto result = f(by, args...);
      if constexpr (std::same_as<decltype(result), Tensor>) {
        return factor.scaled(result, where);
      } else {
        result.first = factor.scaled(result.first, where);
        return result;
      }
    };
    auto [value, gradient] = value_and_grad(scaled, where)(first, scale, rest...);
    if constexpr (std::same_as<decltype(value), Tensor>) {
      value = scale.unscaled(value, where);
    } else {
      value.first = scale.unscaled(value.first, where);
    }
    return std::pair(std::move(value), scale.unscaled(gradient, where));
  };
}

}  // namespace ridge::nn

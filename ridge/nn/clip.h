// Gradients as one long vector: its length, and a limit to it.
//
//   auto [loss, gradient] = value_and_grad(objective)(model, x);
//   const Tensor norm = nn::clip_by_norm(gradient, 1.0);
//   optimizer.update_if(is_finite(norm), model, gradient);
//
// Squares are summed in f32 at least, one tensor after the other in the order of the model, so that the
// same gradients give the same bits.
#pragma once

#include "ridge/nn/update.h"

namespace ridge::nn {

namespace detail {

Tensor norm_of(const std::vector<Tensor*>& gradients, Location where);
Tensor clip_by_norm(const std::vector<Tensor*>& gradients, double most, Location where);
Tensor all_finite(const std::vector<Tensor*>& gradients, Location where);

}  // namespace detail

// 0-d, f64. NaN or infinite if any element is, or if the sum of squares has left the range of f32.
template <class Model>
Tensor norm_of(const Model& gradient, Location where = Location::current()) {
  Model copy = gradient;
  return detail::norm_of(detail::tensors_of(copy), where);
}

// Scales the gradients where they are longer than `most`; gives the length they had.
// Error{value} unless `most` is positive.
template <class Model>
Tensor clip_by_norm(Model& gradient, double most, Location where = Location::current()) {
  return detail::clip_by_norm(detail::tensors_of(gradient), most, where);
}

// 0-d, bool. After clip_by_norm, `is_finite(norm)` says it without another pass over the gradients.
template <class Model>
Tensor all_finite(const Model& gradient, Location where = Location::current()) {
  Model copy = gradient;
  return detail::all_finite(detail::tensors_of(copy), where);
}

}  // namespace ridge::nn

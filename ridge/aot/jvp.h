// Derivatives of functions in a direction: jvp, hessian_vector_product.
//
//   auto [y, dy] = jvp(f)(x, v, rest...);                 // y = f(x, rest...), dy = f'(x) v
//   Tensor hv = hessian_vector_product(loss)(x, v);       // the Hessian of loss at x, times v
//
// The direction has the form of the first argument (of a number: a Tensor): a tensor for each floating
// tensor in it, of its shape and dtype, or an undefined one for zeros; others are not looked at. The
// derivative has the form of the result: zeros where it does not depend on the first argument, an
// undefined tensor in the place of one that is not floating.
//
// What is said of the function, of captures and of nesting in transforms.h holds here. Forward mode: the
// derivative is computed along with the value, and nothing is kept for later. Errors at the user's line:
// Error{shape} or Error{dtype} for a direction that does not fit, Error{gradient} as push_forward.h says.
#pragma once

#include "ridge/aot/transforms.h"

namespace ridge {

namespace aot {

struct Tangents {
  std::vector<Tensor> outputs;   // of the captured graph
  std::vector<Tensor> tangents;  // of each tensor of the result, undefined where it has none
};
// `directions`: of each tensor of the first argument, undefined for zeros.
Tangents run_with_tangents(const BoundCapture& bound, const std::vector<Tensor>& directions);

namespace detail {

template <class T>
inline constexpr bool is_pair = false;
template <class A, class B>
inline constexpr bool is_pair<std::pair<A, B>> = true;

}  // namespace detail
}  // namespace aot

// (first, direction, rest...) -> {result, derivative of the result}
template <class F>
auto jvp(F f, Location where = Location::current()) {
  return [f = std::move(f), where]<class First, class... Rest>(
             First&& first, const aot::GradientOf<std::remove_cvref_t<First>>& direction,
             Rest&&... rest) {
    using Result = capture::ResultOf<const F, First&, Rest&...>;
    std::vector<Tensor> directions;
    aot::detail::TensorReader reader{directions};
    visit_value(direction, reader, NoPath());
    const aot::BoundCapture bound = aot::detail::bind("jvp", f, where, first, rest...);
    const aot::Tangents done = aot::run_with_tangents(bound, directions);
    Result value = aot::detail::deliver<Result>(bound, done.outputs);
    Result derivative = value;
    aot::detail::TensorReplacer replacer{done.tangents};
    visit_value(derivative, replacer, NoPath());
    return std::pair(std::move(value), std::move(derivative));
  };
}

// (first, direction, rest...) -> the second derivative of f by its first argument, times the direction:
// of the form of the first argument. For f as `grad` takes it. Costs about two gradients.
template <class F>
auto hessian_vector_product(F f, Location where = Location::current()) {
  return [f = jvp(grad(std::move(f), where), where)]<class First, class... Rest>(
             First&& first, const aot::GradientOf<std::remove_cvref_t<First>>& direction,
             Rest&&... rest) {
    using Form = aot::GradientOf<std::remove_cvref_t<First>>;
    auto derivative = f(first, direction, rest...).second;
    if constexpr (std::same_as<decltype(derivative), Form>) {
      return derivative;
    } else {
      static_assert(aot::detail::is_pair<decltype(derivative)>);
      return std::move(derivative.first);  // of a pair, the second is what f returns besides
    }
  };
}

}  // namespace ridge

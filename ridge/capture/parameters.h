// Integers given where a function takes a `Size`: they are sizes then, and become symbols when they change.
//
//   compile([](const Tensor& x, Size n) { ... })(x, 5)      5 reaches it as a Size
//
// Seen of functions with one signature: function pointers and objects with one operator(). To one whose
// parameters are deduced (`auto n`) an integer stays an integer.
#pragma once

#include <concepts>
#include <tuple>
#include <type_traits>

#include "ridge/expr/size.h"

namespace ridge::capture {

namespace detail {

template <class F>
struct ParametersOf {};
template <class R, class... P>
struct ParametersOf<R (*)(P...)> {
  using Types = std::tuple<P...>;
};
template <class R, class C, class... P>
struct ParametersOf<R (C::*)(P...)> : ParametersOf<R (*)(P...)> {};
template <class R, class C, class... P>
struct ParametersOf<R (C::*)(P...) const> : ParametersOf<R (*)(P...)> {};

template <class F>
struct SignatureOf : ParametersOf<F> {};
template <class F>
  requires requires { &F::operator(); }
struct SignatureOf<F> : ParametersOf<decltype(&F::operator())> {};

template <class Parameter, class Arg>
constexpr bool is_integer_for_size =
    std::same_as<std::remove_cvref_t<Parameter>, Size> && std::integral<std::remove_cvref_t<Arg>>;

template <class Parameters, class... Args>
constexpr bool any_for_size = false;
template <class... P, class... Args>
  requires(sizeof...(P) == sizeof...(Args))
constexpr bool any_for_size<std::tuple<P...>, Args...> = (is_integer_for_size<P, Args> || ...);

}  // namespace detail

template <class F, class... Args>
constexpr bool takes_integers_as_sizes = false;
template <class F, class... Args>
  requires requires { typename detail::SignatureOf<F>::Types; }
constexpr bool takes_integers_as_sizes<F, Args...> =
    detail::any_for_size<typename detail::SignatureOf<F>::Types, Args...>;

// An argument as parameter number I takes it.
template <class F, size_t I, class Arg>
decltype(auto) as_taken(Arg&& arg) {
  using Parameter = std::tuple_element_t<I, typename detail::SignatureOf<F>::Types>;
  if constexpr (detail::is_integer_for_size<Parameter, Arg>) {
    return Size(static_cast<int64_t>(arg));
  } else {
    return std::forward<Arg>(arg);
  }
}

}  // namespace ridge::capture

// From a callable and its arguments to a graph.
//
//   Captured c = capture(step, {.name = "step", .argument_names = {"model", "x"}}, model, x);
//   c.graph:  graph step(%0: f32[4, 8] "model.head.weight", %1: f32[2, 8] "x") { ... }
//
// The callable runs once, with fake tensors in place of the tensors of its arguments, and every op it
// calls becomes a node. Inputs of the graph are the defined tensors of the arguments in visiting
// order (`FlatArguments::inputs`), then `enclosing`. Integers, bools and enums reach the callable as
// they are; a floating-point argument reaches it as a Tensor. Sizes of tensors, and arguments of type
// Size, are symbols where the options say so (symbolic_sizes.h).
//
// Writing to a tensor of an argument is a node that writes. Putting another tensor in its place,
// in an argument taken by non-const reference, is listed in `replaced`, for `assign_back` to repeat
// on the caller's struct after each run. The result may hold tensors, structs, lists, tuples and
// integers; the integers are those of the capture.
//
// A tensor of the result that is an argument's own (`return x`) is the caller's tensor itself. With
// CaptureOptions::restores_aliases, as `compile` has it, memory is shared as after an eager call: a view
// of an argument is a view of the caller's tensor, results that view one memory share it, and arguments
// that share memory may be written (result_slots.h, shared_memory.h). Without, results are values.
//
// The callable may throw: nothing of the capture is left then. Error{state}, with a line: a tensor
// from outside that is no argument (see constant.h), a list or number of an argument that the
// callable changed, a function that calls itself, memory that is written and that arguments view under
// two dtypes; and, without `restores_aliases`, an argument that is written and shares memory with
// another one or with itself (an expanded tensor).
#pragma once

#include <memory>
#include <optional>
#include <tuple>
#include <vector>

#include "ridge/capture/arguments.h"
#include "ridge/capture/trace.h"

namespace ridge::capture {

namespace detail {

struct FakeMaker {
  Trace& trace;
  void tensor(const std::string& path, Tensor& tensor) { tensor = trace.input(path, tensor); }
  void number(const std::string& path, int64_t value) { trace.number(path, value); }
  void size(const std::string& path, Size& size) { size = trace.size(path, size); }
};

struct ArgumentChecker {
  Trace& trace;
  void tensor(NoPath, Tensor& tensor) { trace.check_argument(tensor); }
  void number(NoPath, int64_t value) { trace.check_number(value); }
  void size(NoPath, const Size& size) { trace.check_size(size); }
};

// Takes the tensors out of the result: what is left is kept as the form of every later result.
struct ResultTaker {
  Trace& trace;
  void tensor(const std::string& path, Tensor& tensor) {
    trace.result(path, std::exchange(tensor, Tensor()));
  }
  void number(const std::string&, int64_t) {}
  // Fixed, as integers are: with a guard where it is symbolic.
  void size(const std::string&, Size& size) { size = size.value(trace.where()); }
};

template <class Arg>
Passed<Arg> copy_argument(const Arg& arg) {
  static_assert(std::copy_constructible<std::remove_cvref_t<Arg>>,
                "an argument of a captured function must be copyable: the capture replaces the "
                "tensors of a copy by fake tensors");
  if constexpr (std::floating_point<Arg>) {
    return Tensor::number(static_cast<double>(arg));
  } else {
    return arg;
  }
}

// Looks for tensors that the callable replaced. An argument that was given away may be moved from,
// and one that was const is as it was.
template <class Arg, class Fake>
void check_argument(Trace& trace, size_t number, Fake& fake) {
  using Plain = std::remove_reference_t<Arg>;
  if constexpr (std::is_lvalue_reference_v<Arg> && !std::is_const_v<Plain> &&
                !std::floating_point<Plain>) {
    ArgumentChecker checker{trace};
    trace.return_to_argument(number);
    visit_value(fake, checker, NoPath());
  }
}

// How the copy of an argument is passed: as the argument was.
template <class Arg>
using PassedAs = std::conditional_t<
    std::floating_point<std::remove_cvref_t<Arg>>, const Tensor&,
    std::conditional_t<std::is_lvalue_reference_v<Arg>, std::remove_reference_t<Arg>&,
                       std::remove_reference_t<Arg>&&>>;

template <class Arg>
decltype(auto) as_passed(Arg&& arg) {
  if constexpr (std::floating_point<std::remove_cvref_t<Arg>>) {
    return Tensor::number(static_cast<double>(arg));
  } else {
    return std::forward<Arg>(arg);
  }
}

template <class F, class... Args>
inline constexpr bool is_capturable = std::invocable<F&, PassedAs<Args>...>;

}  // namespace detail

template <class F, class... Args>
using ResultOf = std::decay_t<std::invoke_result_t<F&, detail::PassedAs<Args>...>>;

// Calls the function with floating-point arguments as tensors, as a capture does: for a call inside
// another capture, where the function becomes part of what is being recorded.
template <class F, class... Args>
decltype(auto) call_as_captured(F& f, Args&&... args) {
  static_assert(
      detail::is_capturable<F, Args&&...>,
      "the function cannot be called with these arguments. A floating-point argument reaches a "
      "captured function as a 0-d Tensor, so that its value may change from call to call: "
      "take it as `const Tensor&`");
  return f(detail::as_passed(std::forward<Args>(args))...);
}

template <class F, class... Args>
Captured capture(F& f, const CaptureOptions& options, Args&&... args) {
  static_assert(
      detail::is_capturable<F, Args&&...>,
      "the function cannot be called with these arguments. A floating-point argument reaches a "
      "captured function as a 0-d Tensor, so that its value may change from call to call: "
      "take it as `const Tensor&`");
  using Result = std::invoke_result_t<F&, detail::PassedAs<Args&&>...>;
  Trace trace(options);
  std::tuple<Passed<Args>...> fakes(detail::copy_argument<std::remove_cvref_t<Args>>(args)...);
  [&]<size_t... I>(std::index_sequence<I...>) {
    detail::FakeMaker maker{trace};
    (visit_value(std::get<I>(fakes), maker, trace.begin_argument()), ...);
    const auto call = [&]() -> Result {
      const graph::Recorder::Scope recording(trace.recorder());
      return f(static_cast<detail::PassedAs<Args&&>>(std::get<I>(fakes))...);
    };
    if constexpr (std::is_void_v<Result>) {
      call();
    } else {
      auto form = std::make_shared<std::decay_t<Result>>(call());
      detail::ResultTaker taker{trace};
      visit_value(*form, taker, std::string("result"));
      trace.set_result_form(std::move(form));
    }
    (detail::check_argument<Args&&>(trace, I, std::get<I>(fakes)), ...);
  }(std::index_sequence_for<Args...>());
  return trace.finish();
}

}  // namespace ridge::capture

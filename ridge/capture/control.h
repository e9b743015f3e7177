// Control flow that a captured program keeps: cond, scan, while_loop.
//
//   Tensor y = cond(norm > 1, [](const Tensor& x) { return x / 2; },
//                   [](const Tensor& x) { return x; }, x);
//   auto [state, ys] = scan([&](const Tensor& h, const Tensor& x) {
//     const Tensor next = tanh(linear(x, w) + matmul(h, u));
//     return std::pair(next, next);
//   }, h0, xs);                                              // xs[t] for every t
//   Tensor root = while_loop([](const Tensor& x) { return abs(x * x - 2) > 1e-6; },
//                            [](const Tensor& x) { return (x + 2 / x) / 2; }, x, {.max_steps = 50});
//
// Called on real tensors they are plain C++: the branch that is taken, a loop. Gradients of autograd
// follow what ran. Inside a capture each function is captured once, into a body of one node
// (graph/control.h); tensors of the enclosing capture that it reads become inputs of that body. Its
// gradient (aot) is control flow again; that of while_loop needs `max_steps`: where an unbounded one is
// differentiated ahead of time, Error{gradient}.
//
// Arguments, carries, elements and results are tensors or structs of them (visit_tensors.h).
// Errors, at the user's line. Error{shape} or Error{dtype}: a condition that is no 0-d bool, branches
// whose results differ, a step whose carry is not like the one it got, xs of different lengths.
// Error{state}: a function that, inside a capture, writes to a tensor from outside of it.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "ridge/capture/capture.h"
#include "ridge/capture/deliver.h"
#include "ridge/ops/arithmetic.h"
#include "ridge/ops/at.h"
#include "ridge/ops/join.h"

namespace ridge {

struct ScanOptions {
  bool reverse = false;  // from the last element to the first; y of element t is still at t
};

struct WhileOptions {
  int64_t max_steps = -1;  // ends after so many steps in any case; negative: no bound
};

namespace capture::control {

using Tensors = std::vector<Tensor>;

// Is the function of the user being captured? Then the calls here become nodes.
bool is_captured();

struct Collector {
  Tensors& tensors;
  void tensor(NoPath, const Tensor& tensor) { tensors.push_back(tensor); }
  void number(NoPath, int64_t) {}
};

template <class F>
struct Changer {
  F change;
  void tensor(NoPath, Tensor& tensor) {
    if (tensor.defined()) tensor = change(tensor);
  }
  void number(NoPath, int64_t) {}
};

// All tensors of the values in visiting order, undefined ones too.
template <class... T>
Tensors tensors_of(const T&... values) {
  Tensors tensors;
  Collector collector{tensors};
  (visit_value(values, collector, NoPath()), ...);
  return tensors;
}

// The value with every defined tensor changed.
template <class T, class F>
T changed(T value, F change) {
  Changer<F> changer{change};
  visit_value(value, changer, NoPath());
  return value;
}

// Plain numbers take the place of tensors here, so they get a dtype for good.
template <class T>
T strong(T value) {
  return changed(std::move(value), [](const Tensor& tensor) {
    return tensor.is_weak() ? cast(tensor, tensor.dtype()) : tensor;
  });
}

// Makes a capture a body: Error{state} if it writes to what it was given.
void close(Captured& captured, Location where);

// Captures a function as a body: its graph is functional, its results are the outputs in order.
template <class F, class... Args>
Captured capture_body(F& f, const char* name, Location where, const Args&... args) {
  auto body = [&](const Args&... given) { return strong(f(given...)); };
  Captured captured = capture::capture(body, {.name = name, .where = where}, args...);
  close(captured, where);
  return captured;
}

template <class R>
R result_of(const Captured& body, std::span<const Tensor> outputs) {
  return build_result<R>(body, {}, outputs);
}

void check_condition(const Tensor& pred, const char* op, Location where);
// The common length of the first dimension.
Size length_of(const Tensors& xs, Location where);
// How an element of x looks: a view that nobody reads.
Tensor form_of_element(const Tensor& x);
// The carry before and after one step must be alike.
void check_carry(const Tensors& before, const Tensors& after, const char* op, Location where);

Tensors record_cond(const Tensor& pred, Captured then, Captured otherwise, const Tensors& args,
                    Location where);
Tensors record_scan(Captured body, const Tensors& carry, const Tensors& xs, const Size& length,
                    bool is_reverse, Location where);
Tensors record_while(Captured condition, Captured body, const Tensors& state, int64_t max_steps,
                     Location where);

// The ys of all steps, in the order of elements: one Y, each of its tensors stacked.
template <class Y>
Y stacked(const std::vector<Y>& steps, Location where) {
  std::vector<Tensors> tensors;
  for (const Y& step : steps) tensors.push_back(tensors_of(step));
  Y result = steps[0];
  size_t next = 0;
  struct Stacker {
    const std::vector<Tensors>& tensors;
    size_t& next;
    Location where;
    void tensor(NoPath, Tensor& tensor) {
      Tensors parts;
      for (const Tensors& step : tensors) parts.push_back(step[next]);
      if (tensor.defined()) tensor = stack(parts, 0, where);
      ++next;
    }
    void number(NoPath, int64_t) {}
  } stacker{tensors, next, where};
  visit_value(result, stacker, NoPath());
  return result;
}

Tensor element(const Tensor& x, int64_t index);  // recorded by autograd
Tensor zero_element(const Tensor& x);
Tensor no_rows_of(const Tensor& y);

}  // namespace capture::control

// then(args...) if pred holds, else otherwise(args...).
template <class Then, class Else, class... Args>
auto cond(const At& pred, Then&& then, Else&& otherwise, const Args&... args) {
  namespace control = capture::control;
  using Result = std::decay_t<std::invoke_result_t<Then&, const Args&...>>;
  static_assert(std::same_as<Result, std::decay_t<std::invoke_result_t<Else&, const Args&...>>>,
                "both branches of a cond must return the same type");
  const Location where = pred.where();
  control::check_condition(pred.tensor(), "cond", where);
  if (!control::is_captured()) {
    return control::strong<Result>(pred.tensor().item<bool>(where) ? then(args...)
                                                                   : otherwise(args...));
  }
  const capture::Captured first = control::capture_body(then, "then", where, args...);
  return control::result_of<Result>(
      first, control::record_cond(pred.tensor(), first,
                                  control::capture_body(otherwise, "otherwise", where, args...),
                                  control::tensors_of(args...), where));
}

// step(carry, element of xs) -> {next carry, y}, for each element: {last carry, all y stacked}.
template <class Step, class Carry, class Xs>
auto scan(Step&& step, const Carry& first, const Xs& xs, ScanOptions options = {},
          Location where = Location::current()) {
  namespace control = capture::control;
  using Result = std::decay_t<std::invoke_result_t<Step&, const Carry&, const Xs&>>;
  using Y = typename Result::second_type;
  static_assert(std::same_as<Result, std::pair<Carry, Y>>,
                "a step of a scan must return a std::pair of the next carry and a y");
  const Size size = control::length_of(control::tensors_of(xs), where);
  Carry carry = control::strong(first);
  if (control::is_captured()) {
    const capture::Captured body = control::capture_body(
        step, "step", where, carry, control::changed(xs, control::form_of_element));
    return control::result_of<Result>(
        body, control::record_scan(body, control::tensors_of(carry), control::tensors_of(xs), size,
                                   options.reverse, where));
  }
  const int64_t length = size.value();
  std::vector<Y> ys(static_cast<size_t>(length));
  for (int64_t i = 0; i < length; ++i) {
    const int64_t at = options.reverse ? length - 1 - i : i;
    const auto x = control::changed(xs, [&](const Tensor& t) { return control::element(t, at); });
    Result next = control::strong<Result>(step(std::as_const(carry), x));
    control::check_carry(control::tensors_of(carry), control::tensors_of(next.first), "scan",
                         where);
    carry = std::move(next.first);
    ys[static_cast<size_t>(at)] = std::move(next.second);
  }
  if (length > 0) return Result(std::move(carry), control::stacked(ys, where));
  // What the ys would be like is only known from a step.
  Y y = step(std::as_const(carry), control::changed(xs, control::zero_element)).second;
  return Result(std::move(carry), control::changed(control::strong(y), control::no_rows_of));
}

// body(state) again and again, as long as condition(state) holds.
template <class Condition, class Body, class State>
State while_loop(Condition&& condition, Body&& body, const State& first, WhileOptions options = {},
                 Location where = Location::current()) {
  namespace control = capture::control;
  static_assert(std::same_as<State, std::decay_t<std::invoke_result_t<Body&, const State&>>>,
                "the body of a while_loop must return the next state");
  State state = control::strong(first);
  if (control::is_captured()) {
    capture::Captured check = control::capture_body(condition, "condition", where, state);
    const capture::Captured step = control::capture_body(body, "body", where, state);
    return control::result_of<State>(
        step, control::record_while(std::move(check), step, control::tensors_of(state),
                                    options.max_steps, where));
  }
  for (int64_t steps = 0; options.max_steps < 0 || steps < options.max_steps; ++steps) {
    const Tensor goes_on = condition(std::as_const(state));
    control::check_condition(goes_on, "while_loop", where);
    if (!goes_on.item<bool>(where)) break;
    State next = control::strong<State>(body(std::as_const(state)));
    control::check_carry(control::tensors_of(state), control::tensors_of(next), "while_loop",
                         where);
    state = std::move(next);
  }
  return state;
}

}  // namespace ridge

// Gradients of functions: value_and_grad, grad, vjp.
//
//   auto step = value_and_grad([](const Model& model, const Tensor& x) { return loss(model(x)); });
//   auto [value, gradient] = step(model, x);       // gradient is a Model
//   gradient.head.weight;                          // d value / d model.head.weight
//
// Each makes a function of the same arguments, differentiated by the first: a Tensor, a struct or
// list of tensors, or a floating-point number. Its gradient has the type of the argument (of a
// number: a Tensor), every floating tensor replaced by its gradient. Tensors of other dtypes, and buffers
// (core/visit_tensors.h), have no gradient: their place is undefined. Where the value does not depend on
// a tensor, grad and vjp give zeros; value_and_grad, which is for training, calls that a mistake unless
// told otherwise.
//
// The function returns a scalar (0-d, floating) Tensor, or a pair of it and anything else, which is
// passed on. It is captured as `capture` says: only its arguments are seen, and what it writes or
// replaces in them is written and replaced in the caller's. Called inside a capture (of compile, or
// of another transform), everything becomes part of that one, and tensors of it that the function
// holds by reference are seen too. So transforms nest: grad(grad(f)) works, also with f in
// compile(). Called on real tensors, the graph runs op by op, and nothing is recorded by autograd.
#pragma once

#include <utility>

#include "ridge/capture/capture.h"
#include "ridge/capture/deliver.h"

namespace ridge {

namespace aot {

// A captured function with the inputs of the call it was captured for.
struct BoundCapture {
  capture::Captured captured;
  std::vector<Tensor*> tensors;  // of the arguments, in visiting order; null for plain numbers
  std::vector<bool> is_buffer;   // by tensor: no gradient is asked for
  std::vector<Tensor> inputs;    // the defined ones, then tensors of the enclosing capture
  size_t first_count = 0;        // how many of `tensors` are in the first argument
  bool allows_unused = true;     // or else the loss must depend on each
  Location where;

  // Error{dtype} unless there is something to differentiate by.
  void check() const;
  // For each tensor of the first argument the input it is; nothing where it has no gradient.
  std::vector<std::optional<size_t>> wrt() const;
};

// The position of a tensor of the result among the outputs; an input is made one of them.
size_t output_of(graph::Graph& graph, const capture::Slot& slot);
// Runs or records a graph as it is: neither autocast nor autograd has anything to add.
std::vector<Tensor> run_as_is(const graph::Graph& graph, std::span<const Tensor> inputs);

struct Gradients {
  std::vector<Tensor> outputs;    // of the captured graph
  std::vector<Tensor> gradients;  // of each tensor of the first argument, undefined where none
};
// Runs, or records, the function and its gradient from the first tensor of the result.
// Error{gradient} unless that is a floating 0-d tensor, and depends on what it must.
Gradients run_with_gradients(const BoundCapture& bound);

// A function that was called and can be differentiated from there.
class Pullback {
 public:
  // Runs, or records, the function; `outputs` are those of the captured graph.
  static Pullback run(const BoundCapture& bound, std::vector<Tensor>& outputs);
  // `cotangents`: of each tensor of the result, undefined for zeros.
  // Error{gradient} if a tensor that was kept has been written to since.
  std::vector<Tensor> operator()(std::span<const Tensor> cotangents) const;

 private:
  void check_cotangent(const Tensor& given, const graph::Type& type) const;
  void check_unchanged() const;

  graph::Graph backward_;
  std::vector<Tensor> saved_;
  std::vector<uint32_t> versions_;          // of `saved_`, when the function had run
  std::vector<size_t> results_;             // which tensors of the result have a gradient
  std::vector<std::optional<size_t>> wrt_;  // tensors of the first argument that have a gradient
  Location where_;
};

// The type of the first argument; of a plain number, a tensor.
template <class First>
using GradientOf = capture::Passed<First>;

namespace detail {

struct ArgumentCollector {
  BoundCapture& bound;
  void tensor(NoPath, const Tensor& tensor) { add(tensor, false); }
  void buffer(NoPath, const Tensor& tensor) { add(tensor, true); }
  void number(NoPath, int64_t) {}

 private:
  void add(const Tensor& tensor, bool is_buffer) {
    // Written only where the capture saw a tensor being replaced, so not if it is const.
    bound.tensors.push_back(const_cast<Tensor*>(&tensor));
    bound.is_buffer.push_back(is_buffer);
    if (tensor.defined()) bound.inputs.push_back(tensor);
  }
};

struct TensorReader {
  std::vector<Tensor>& tensors;
  void tensor(NoPath, const Tensor& tensor) { tensors.push_back(tensor); }
  void number(NoPath, int64_t) {}
};

struct TensorReplacer {
  std::span<const Tensor> tensors;
  size_t next = 0;
  void tensor(NoPath, Tensor& tensor) { tensor = tensors[next++]; }
  void number(NoPath, int64_t) {}
};

template <class Arg>
void collect(BoundCapture& bound, const Arg& arg) {
  if constexpr (std::floating_point<Arg>) {
    bound.tensors.push_back(nullptr);
    bound.is_buffer.push_back(false);
    bound.inputs.push_back(Tensor::number(static_cast<double>(arg)));
  } else {
    ArgumentCollector collector{bound};
    visit_value(arg, collector, NoPath());
  }
}

template <class F, class First, class... Rest>
BoundCapture bind(const char* name, F& f, Location where, First& first, Rest&... rest) {
  BoundCapture bound;
  bound.where = where;
  collect(bound, first);
  bound.first_count = bound.tensors.size();
  (collect(bound, rest), ...);
  bound.check();
  const capture::CaptureOptions options{.name = name, .where = where};
  bound.captured = capture::capture(f, options, first, rest...);
  const auto& enclosing = bound.captured.enclosing;
  bound.inputs.insert(bound.inputs.end(), enclosing.begin(), enclosing.end());
  return bound;
}

// The result of the function, and its arguments as it left them.
template <class R>
R deliver(const BoundCapture& bound, const std::vector<Tensor>& outputs) {
  std::vector<const Tensor*> inputs;
  for (const Tensor& input : bound.inputs) inputs.push_back(&input);
  R result = capture::build_result<R>(bound.captured, inputs, outputs);
  capture::assign_back(bound.captured, bound.tensors, inputs, outputs);
  return result;
}

template <class First>
GradientOf<First> gradient_like(const First& first, std::span<const Tensor> gradients) {
  if constexpr (std::floating_point<First>) {
    return gradients[0];
  } else {
    First gradient = first;
    TensorReplacer replacer{gradients};
    visit_value(gradient, replacer, NoPath());
    return gradient;
  }
}

template <class T>
inline constexpr bool is_loss = std::same_as<T, Tensor>;
template <class Aux>
inline constexpr bool is_loss<std::pair<Tensor, Aux>> = true;

}  // namespace detail
}  // namespace aot

struct GradientOptions {
  bool allow_unused = false;  // zeros for tensors that the value does not depend on
};

// (first, rest...) -> {result, gradient of first}
// Error{gradient} where the result does not depend on a floating tensor of first.
template <class F>
auto value_and_grad(F f, GradientOptions options, Location where = Location::current()) {
  return [f = std::move(f), options, where]<class First, class... Rest>(First&& first,
                                                                        Rest&&... rest) {
    using Result = capture::ResultOf<const F, First&, Rest&...>;
    static_assert(aot::detail::is_loss<Result>,
                  "the function must return a Tensor, or a pair of a Tensor and anything else");
    aot::BoundCapture bound = aot::detail::bind("value_and_grad", f, where, first, rest...);
    bound.allows_unused = options.allow_unused;
    const aot::Gradients done = aot::run_with_gradients(bound);
    auto gradient = aot::detail::gradient_like<std::remove_cvref_t<First>>(first, done.gradients);
    return std::pair(aot::detail::deliver<Result>(bound, done.outputs), std::move(gradient));
  };
}

template <class F>
auto value_and_grad(F f, Location where = Location::current()) {
  return value_and_grad(std::move(f), GradientOptions(), where);
}

// (first, rest...) -> gradient of first; of a function that returns a pair, {gradient, its second}
template <class F>
auto grad(F f, Location where = Location::current()) {
  return [f = value_and_grad(std::move(f), {.allow_unused = true},
                             where)]<class First, class... Rest>(First&& first, Rest&&... rest) {
    auto [result, gradient] = f(first, rest...);
    if constexpr (std::same_as<decltype(result), Tensor>) {
      return gradient;
    } else {
      return std::pair(std::move(gradient), std::move(result.second));
    }
  };
}

// (first, rest...) -> {result, pullback}; pullback(cotangent of the result) -> gradient of first.
// The cotangent has the type of the result; an undefined tensor in it stands for zeros. What the
// function computed is kept for the pullback, which can be called more than once; arguments that the
// gradient needs are kept as they are, so writing to one before the pullback is an Error{gradient}.
template <class F>
auto vjp(F f, Location where = Location::current()) {
  return [f = std::move(f), where]<class First, class... Rest>(First&& first, Rest&&... rest) {
    using Result = capture::ResultOf<const F, First&, Rest&...>;
    const aot::BoundCapture bound = aot::detail::bind("vjp", f, where, first, rest...);
    std::vector<Tensor> outputs;
    auto pullback = [pulled = aot::Pullback::run(bound, outputs),
                     form = std::remove_cvref_t<First>(first)](const Result& cotangent) {
      std::vector<Tensor> cotangents;
      aot::detail::TensorReader reader{cotangents};
      visit_value(cotangent, reader, NoPath());
      return aot::detail::gradient_like(form, pulled(cotangents));
    };
    return std::pair(aot::detail::deliver<Result>(bound, outputs), std::move(pullback));
  };
}

}  // namespace ridge

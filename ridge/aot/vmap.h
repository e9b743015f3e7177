// Functions over a batch: vmap, and the Jacobian and Hessian, which are made with it.
//
//   auto norms = vmap([](const Tensor& row) { return sqrt(sum(row * row)); })(rows);    // [B, n] -> [B]
//   auto each = vmap(grad(loss), {.in_axes = {std::nullopt, 0, 0}})(model, xs, ys);
//   each.head.weight;                        // [B, ...]: the gradient of every example
//
// The function is written for one example and captured for one, as `capture` says; then every op of it
// becomes the op over the batch (batch.h). No loop runs, but where examples go different ways (a cond or
// while_loop by values of the example) or an op has no batched form. Inside a capture (of compile, or
// of another transform) it becomes part of that one, so it nests: vmap of vmap, of grad, of jvp, and
// each of these of vmap. Called on real tensors, the graph runs op by op and nothing is recorded by
// autograd.
//
// A function may write to a mapped argument, each example to its own; what it writes to another one must
// not depend on the example. Plain numbers are passed on as they are.
//
// Errors at the user's line. Error{value}: in_axes or out_axes of another number than arguments or
// results, nothing mapped. Error{shape}: a dimension that a tensor does not have, batches of different
// lengths. Error{state}: writes as above, random numbers from a shared generator unless `randomness`
// says what is meant.
#pragma once

#include <tuple>

#include "ridge/aot/batch.h"
#include "ridge/aot/jvp.h"
#include "ridge/ops/creation.h"
#include "ridge/ops/view.h"

namespace ridge {

struct VmapOptions {
  // By argument, the dimension of its tensors that is the batch; nothing: every example gets the whole.
  // Empty: 0 for all.
  std::vector<std::optional<int64_t>> in_axes{};
  // By tensor of the result, where the batch goes; one for all of them, or none for 0.
  std::vector<int64_t> out_axes{};
  Randomness randomness = Randomness::error;
};

namespace aot {

// A call of a vmap: its arguments, then its results.
class MappedCall {
 public:
  MappedCall(const VmapOptions& options, size_t argument_count, Location where);

  template <class Arg>
  void add(const Arg& arg) {
    detail::collect(bound_, arg);
    end_argument();
  }
  // The argument as one example sees it; its tensors are not to be read.
  template <class Arg>
  std::remove_cvref_t<Arg> example(const Arg& arg) {
    std::remove_cvref_t<Arg> copy = arg;
    if constexpr (std::floating_point<std::remove_cvref_t<Arg>>) {
      ++next_example_;
    } else {
      detail::TensorReplacer replacer{std::span(examples()).subspan(next_example_)};
      visit_value(copy, replacer, NoPath());
      next_example_ += replacer.next;
    }
    return copy;
  }

  // Runs, or records, what was captured for one example. Returns the tensors of the result.
  std::vector<Tensor> run(const capture::Captured& captured);

 private:
  void end_argument();
  void find_count();
  const std::vector<Tensor>& examples();
  std::vector<Tensor> batched_inputs(const capture::Captured& captured) const;
  void check_updates(const BatchedGraph& batched) const;
  Tensor placed(const Tensor& output, bool is_mapped, int64_t axis) const;
  int64_t out_axis(size_t result, size_t count) const;
  void replace(size_t tensor, const Tensor& now, bool has_batch);

  const VmapOptions& options_;
  const size_t argument_count_;
  const Location where_;
  size_t argument_ = 0;
  BoundCapture bound_;
  std::vector<std::optional<int64_t>> axes_;  // by tensor of the arguments
  Size count_ = 0;
  std::vector<Tensor> examples_;  // by tensor of the arguments
  size_t next_example_ = 0;
};

}  // namespace aot

// (args...) -> the result of f for every example, along a further dimension
template <class F>
auto vmap(F f, VmapOptions options = {}, Location where = Location::current()) {
  return [f = std::move(f), options = std::move(options), where]<class... Args>(Args&&... args) {
    using Result = capture::ResultOf<const F, Args&...>;
    aot::MappedCall call(options, sizeof...(Args), where);
    (call.add(args), ...);
    // In braces, so that arguments are taken in order.
    std::tuple<std::remove_cvref_t<Args>...> examples{call.example(args)...};
    const capture::Captured captured = std::apply(
        [&](auto&... one) {
          return capture::capture(f, {.name = "vmap", .where = where},
                                  static_cast<std::remove_reference_t<Args>&>(one)...);
        },
        examples);
    const std::vector<Tensor> tensors = call.run(captured);
    Result result = *static_cast<const Result*>(captured.result_form.get());
    aot::detail::TensorReplacer replacer{tensors};
    visit_value(result, replacer, NoPath());
    return result;
  };
}

namespace aot {

// A direction for each element of x: [numel, ...shape of x].
Tensor basis_of(const Tensor& x);

}  // namespace aot

// (x, rest...) -> all derivatives of f, a function from a tensor to a tensor: [...result, ...x].
// Forward mode, all directions at once: for functions of few numbers.
template <class F>
auto jacobian(F f, Location where = Location::current()) {
  return [f = std::move(f), where](const Tensor& x, const auto&... rest) {
    const auto along = [&f, where](const Tensor& direction, const Tensor& at, const auto&... more) {
      return jvp(f, where)(at, direction, more...).second;
    };
    VmapOptions options{.in_axes = {0, std::nullopt}, .out_axes = {-1}};
    options.in_axes.resize(2 + sizeof...(rest));
    const Tensor columns = vmap(along, options, where)(aot::basis_of(x), x, rest...);
    Shape shape(columns.shape().begin(), columns.shape().end() - 1);
    shape.insert(shape.end(), x.shape().begin(), x.shape().end());
    return reshape(columns, shape);
  };
}

// (x, rest...) -> all second derivatives of f, from a tensor to a 0-d tensor: [...x, ...x].
template <class F>
auto hessian(F f, Location where = Location::current()) {
  return jacobian([f = std::move(f), where](
                      const Tensor& x, const auto&... rest) { return grad(f, where)(x, rest...); },
                  where);
}

}  // namespace ridge

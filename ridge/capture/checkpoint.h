// checkpoint(f): what f computes is not kept for the gradient, but computed again from its arguments.
//
//   for (Block& block : blocks) {
//     x = checkpoint([](const Block& one, const Tensor& y) { return one(y); })(block, x);
//   }
//   backward(loss(x));         // each block runs a second time, then its gradient
//
// Memory then holds the arguments and results of f, and one f at a time, for the price of one more run.
// Called on real tensors, autograd keeps the arguments, and runs f again when gradients are asked for.
// While a program is captured, the nodes of f are a region: gradients keep none of the values inside,
// but may keep its results (aot/partition.h); everything else is decided by price as always. A `vjp`
// outside of `compile` does not look at regions: its pullback keeps what rules read.
//
// Arguments and results are tensors, structs of them (visit_tensors.h) and numbers. Random numbers are
// the same in both runs: the state of a generator that is an argument is kept as it was. Checkpoints
// nest, and gradients have gradients.
//
// Only arguments are seen. Error{state}, on real tensors: f reads a tensor that requires grad and is no
// argument, f writes to an argument that is no generator, or puts another tensor in its place. Writing
// to an argument before the gradient is computed: Error{gradient}.
#pragma once

#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "ridge/autograd/checkpoint_node.h"
#include "ridge/capture/control.h"
#include "ridge/core/visit_tensors.h"

namespace ridge {

namespace capture {

// Nodes recorded meanwhile are of one region; inside of another one, of that.
class CheckpointRegion {
 public:
  CheckpointRegion();
  ~CheckpointRegion();
  CheckpointRegion(const CheckpointRegion&) = delete;
  CheckpointRegion& operator=(const CheckpointRegion&) = delete;

 private:
  graph::Recorder& recorder_;
  uint8_t outer_;
};

namespace detail {

// Takes the tensors of arguments out, or puts others in.
struct TensorSwap {
  std::vector<Tensor>& tensors;
  size_t next = 0;
  void tensor(NoPath, Tensor& tensor) { std::swap(tensor, tensors[next++]); }
  void number(NoPath, int64_t) {}
};

struct TensorList {
  std::vector<Tensor>& tensors;
  void tensor(NoPath, const Tensor& tensor) { tensors.push_back(tensor); }
  void number(NoPath, int64_t) {}
};

template <class T, class Visitor>
void visit_argument(T& arg, Visitor& visitor) {
  if constexpr (!std::floating_point<std::remove_cvref_t<T>>) visit_value(arg, visitor, NoPath());
}

template <class T>
std::vector<Tensor> tensors_in(T& arg) {
  std::vector<Tensor> tensors;
  TensorList list{tensors};
  visit_argument(arg, list);
  return tensors;
}
// The very same ones, undefined ones in the same places.
bool are_same(const std::vector<Tensor>& before, const std::vector<Tensor>& now);

// Error{state} unless the function left the tensors of its arguments where they were.
void check_in_place(bool is_same, Location where);

// One call of the function, over the tensors of its arguments and its result.
template <class F, class Result, class... Args>
struct CheckpointCall {
  F function;
  std::tuple<std::remove_cvref_t<Args>...> form;  // the arguments without their tensors
  Location where;

  std::vector<Tensor> operator()(const std::vector<Tensor>& tensors,
                                 std::optional<Result>* kept) const {
    auto args = form;
    std::vector<Tensor> given = tensors, results;
    std::optional<Result> result;
    std::apply(
        [&](auto&... arg) {
          TensorSwap put{given};
          (visit_argument(arg, put), ...);
          const std::vector<std::vector<Tensor>> before{tensors_in(arg)...};
          result.emplace(function(static_cast<Args&&>(arg)...));
          size_t next = 0;
          bool is_same = true;
          // One that was given away may be moved from.
          ((is_same &= !std::is_lvalue_reference_v<Args> || are_same(before[next], tensors_in(arg)),
            ++next),
           ...);
          check_in_place(is_same, where);
        },
        args);
    TensorList list{results};
    visit_value(*result, list, NoPath());
    if (kept != nullptr) *kept = std::move(result);
    return results;
  }
};

template <class Result, class F, class... Args>
Result call_checkpoint(const F& function, Location where, Args&&... args) {
  CheckpointCall<F, Result, Args&&...> call{function, {args...}, where};
  std::vector<Tensor> inputs;
  std::apply(
      [&](auto&... arg) {
        TensorList list{inputs};
        (visit_argument(arg, list), ...);
        std::vector<Tensor> none(inputs.size());  // a history must not hold the tensors it leads to
        TensorSwap take{none};
        (visit_argument(arg, take), ...);
      },
      call.form);
  std::optional<Result> result;
  std::vector<Tensor> results = autograd::run_checkpoint(
      [&](const std::vector<Tensor>& tensors) { return call(tensors, &result); },
      [call](const std::vector<Tensor>& tensors) { return call(tensors, nullptr); }, inputs, where);
  TensorSwap put{results};
  visit_value(*result, put, NoPath());
  return std::move(*result);
}

}  // namespace detail
}  // namespace capture

template <class F>
auto checkpoint(F f, Location where = Location::current()) {
  return [f = std::move(f), where]<class... Args>(Args&&... args) {
    using Result = std::decay_t<std::invoke_result_t<const F&, Args&&...>>;
    static_assert(!std::is_void_v<Result>, "a checkpointed function must return what it computes");
    if (capture::control::is_captured()) {
      const capture::CheckpointRegion region;
      return static_cast<Result>(f(std::forward<Args>(args)...));
    }
    return capture::detail::call_checkpoint<Result>(f, where, std::forward<Args>(args)...);
  };
}

}  // namespace ridge

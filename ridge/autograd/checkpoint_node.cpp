#include "ridge/autograd/checkpoint_node.h"

#include <algorithm>

#include "ridge/autograd/autograd_record.h"
#include "ridge/autograd/engine.h"
#include "ridge/autograd/saved_tensor.h"
#include "ridge/base/text.h"
#include "ridge/dispatch/thread_state.h"
#include "ridge/ops/arithmetic.h"

namespace ridge::autograd {
namespace {

constexpr auto kCheckpoint = "checkpoint";
// A state of a generator has three; a tensor of so few costs next to nothing to copy.
constexpr int64_t kMostOfState = 16;

bool may_be_state(const Tensor& tensor) {
  return !is_floating(tensor.dtype()) && tensor.numel().value() <= kMostOfState;
}

// An input of the second run. Its gradient is looked for here, apart from what else leads to the
// tensor that the caller gave: another input may be computed from it.
class InputNode final : public Node {
 public:
  InputNode(Location where, Edge history)
      : Node(kCheckpoint, where, 1, Edges{std::move(history)}) {}
  Tensors run(const Tensors& grads, const Needed&) override { return grads; }
};

// The autocast of a call.
class Casts {
 public:
  Casts() {
    const dispatch::ThreadState& state = dispatch::thread_state();
    is_included_ = state.included.has(dispatch::Key::autocast);
    is_excluded_ = state.excluded.has(dispatch::Key::autocast);
    dtype_ = state.autocast_dtype;
  }
  dispatch::ThreadState applied_to(dispatch::ThreadState now) const {
    const dispatch::KeySet cast(dispatch::Key::autocast);
    now.included = is_included_ ? now.included | cast : now.included - cast;
    now.excluded = is_excluded_ ? now.excluded | cast : now.excluded - cast;
    now.autocast_dtype = dtype_;
    return now;
  }

 private:
  bool is_included_ = false, is_excluded_ = false;
  DType dtype_{};
};

Edges checkpoint_edges(const Tensors& inputs) {
  Edges edges;
  for (const Tensor& input : inputs) edges.push_back(input.defined() ? edge_of(input) : Edge());
  return edges;
}

class CheckpointNode final : public Node {
 public:
  CheckpointNode(TensorFunction function, const Tensors& inputs, std::vector<SavedTensor> saved,
                 const Tensors& results, Location where)
      : Node(kCheckpoint, where, results.size(), checkpoint_edges(inputs)),
        function_(std::move(function)),
        inputs_(std::move(saved)) {
    for (const Tensor& result : results) {
      results_.push_back(result.defined() ? SavedTensor::described(result) : SavedTensor());
    }
  }

  Tensors run(const Tensors& given, const Needed& needed) override {
    return located(concat("the gradient of ", kCheckpoint), where(), [&] {
      const bool is_recorded = dispatch::thread_state().grad_enabled;
      std::vector<Edge> targets;
      TensorFunction function;
      const Tensors inputs = unpack(needed, is_recorded, targets, function);
      const Tensors results = run_again(function, inputs);
      std::vector<Root> roots;
      for (size_t i = 0; i < given.size(); ++i) {
        if (!given[i].defined() || !results[i].requires_grad()) continue;
        roots.push_back({edge_of(results[i]), given[i]});
      }
      std::vector<Captured> found = run_to(roots, targets, {.create_graph = is_recorded});
      Tensors gradients(edges().size());
      size_t next = 0;
      for (size_t i = 0; i < gradients.size(); ++i) {
        if (needed[i]) gradients[i] = std::move(found[next++].grad);
      }
      return gradients;
    });
  }

  void release() override {
    Tensors values;  // fall after the lock, as what the function holds
    TensorFunction function;
    const std::lock_guard lock(stripe(this));
    for (SavedTensor& input : inputs_) values.push_back(input.take_value());
    function.swap(function_);
  }

 private:
  Tensors unpack(const Needed& needed, bool is_recorded, std::vector<Edge>& targets,
                 TensorFunction& function) const {
    std::vector<size_t> without_history;
    Tensors inputs = unpack_locked(needed, is_recorded, targets, function, without_history);
    for (const size_t i : without_history) inputs[i] = copied_state(inputs[i]);
    return inputs;
  }

  Tensors unpack_locked(const Needed& needed, bool is_recorded, std::vector<Edge>& targets,
                        TensorFunction& function, std::vector<size_t>& without_history) const {
    const std::lock_guard lock(stripe(this));
    RIDGE_CHECK(static_cast<bool>(function_), .code = ErrorCode::gradient, .op = kCheckpoint,
                .expected = "the inputs this call saved for its gradient",
                .given = "a graph that was differentiated before and let them go",
                .hint = "ask for retain_graph the first time", .where = where());
    function = function_;
    Tensors inputs;
    for (size_t i = 0; i < inputs_.size(); ++i) {
      inputs_[i].check_unchanged(*this, concat("input ", i));
      const Edge& history = edges()[i];
      if (!history || (!is_recorded && !needed[i])) {
        inputs.push_back(inputs_[i].unpack({}));
        without_history.push_back(i);
        continue;
      }
      const Edge origin(make_ref<InputNode>(where(), is_recorded ? history : Edge()), 0);
      inputs.push_back(with_history(inputs_[i].unpack({}), origin));
      if (needed[i]) targets.push_back(origin);
    }
    return inputs;
  }

  // The run writes it, and there may be another run.
  static Tensor copied_state(const Tensor& value) {
    const dispatch::GradMode values_only(false);
    return value.defined() && may_be_state(value) ? copy(value, value) : value;
  }

  Tensors run_again(const TensorFunction& function, const Tensors& inputs) const {
    Tensors results;
    {
      const dispatch::ThreadStateScope as_called(casts_.applied_to(dispatch::thread_state()));
      const dispatch::GradMode recorded(true);
      results = function(inputs);
    }
    bool is_alike = results.size() == results_.size();
    for (size_t i = 0; is_alike && i < results.size(); ++i) {
      const bool is_there = results_[i].unpack({}).defined();
      is_alike = results[i].defined() == is_there &&
                 (!is_there || (results[i].shape() == results_[i].shape() &&
                                results[i].dtype() == results_[i].dtype()));
    }
    RIDGE_CHECK(is_alike, .code = ErrorCode::gradient, .op = kCheckpoint,
                .expected = "a function that computes the same when it runs again",
                .given = "results of other shapes or dtypes, or another number of them",
                .hint = "it may read only its arguments and what does not change",
                .where = where());
    return results;
  }

  TensorFunction function_;
  const Casts casts_;
  // Behind this node's stripe, because one thread may release what another one runs.
  std::vector<SavedTensor> inputs_;
  std::vector<SavedTensor> results_;  // described
};

void check_closed(const Tensors& results, Location where) {
  for (size_t i = 0; i < results.size(); ++i) {
    RIDGE_CHECK(!results[i].defined() || !results[i].requires_grad(), .code = ErrorCode::state,
                .op = kCheckpoint,
                .expected = "a function that gets the tensors that require grad as arguments",
                .given = concat("result ", i, ", ", describe(results[i]),
                                ", which depends on one that it holds by reference"),
                .hint = "checkpoint(f)(model, x), with the model as an argument", .where = where);
  }
}

}  // namespace

Tensors run_checkpoint(const TensorFunction& first, TensorFunction again, const Tensors& inputs,
                       Location where) {
  if (!dispatch::thread_state().grad_enabled) return first(inputs);
  std::vector<SavedTensor> saved;
  std::vector<uint32_t> versions;
  Tensors given;
  for (const Tensor& input : inputs) {
    const bool is_there = input.defined();
    given.push_back(is_there ? input.alias() : Tensor());
    versions.push_back(is_there ? input.version() : 0);
    saved.push_back(!is_there             ? SavedTensor()
                    : may_be_state(input) ? SavedTensor::copy_of(input)
                                          : SavedTensor::of(input));
  }
  Tensors results = first(given);  // with grad mode on: what it records depends on what it holds
  check_closed(results, where);
  for (size_t i = 0; i < inputs.size(); ++i) {
    RIDGE_CHECK(
        !inputs[i].defined() || may_be_state(inputs[i]) || inputs[i].version() == versions[i],
        .code = ErrorCode::state, .op = kCheckpoint,
        .expected = "a function that writes to no argument but the state of a generator",
        .given = concat("a write to tensor ", i, " of the arguments, ", describe(inputs[i])),
        .hint = "return the new value instead", .where = where);
  }
  const auto requires_grad = [](const Tensor& one) { return one.defined() && one.requires_grad(); };
  if (std::ranges::none_of(inputs, requires_grad)) return results;
  for (Tensor& result : results) {
    if (!result.defined()) continue;
    const bool is_shared = std::ranges::any_of(inputs, [&](const Tensor& input) {
      return input.defined() && result.shares_storage_with(input);
    });
    // Whatever else holds a result sees no history.
    result = is_shared ? copy(result, result) : result.alias();
  }
  const auto node =
      make_ref<CheckpointNode>(std::move(again), inputs, std::move(saved), results, where);
  for (uint32_t i = 0; i < results.size(); ++i) {
    if (results[i].defined() && is_floating(results[i].dtype())) attach(results[i], Edge(node, i));
  }
  return results;
}

}  // namespace ridge::autograd

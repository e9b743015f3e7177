#include "ridge/autograd/custom_vjp.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <tuple>

#include "ridge/autograd/autograd_record.h"
#include "ridge/autograd/saved_tensor.h"
#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "ridge/dispatch/call.h"
#include "ridge/ops/arithmetic.h"
#include "ridge/ops/creation.h"
#include "ridge/ops/registry.h"

namespace ridge {

namespace autograd {
namespace {

std::atomic<DryRun> installed_dry_run{nullptr};

}  // namespace

void install_dry_run(DryRun run) { installed_dry_run.store(run, std::memory_order_release); }

std::optional<std::string> dry_run(const std::function<void()>& body) {
  const DryRun run = installed_dry_run.load(std::memory_order_acquire);
  RIDGE_INTERNAL_CHECK(run != nullptr, "a capture in progress, and no layer that captures");
  return run(body);
}

namespace {

struct Definition : RefCounted {
  CustomForward forward;
  CustomBackward backward;
  std::string name;
  Location where;

  // The op that stands for it in captured graphs, by the number of its results.
  const dispatch::Operator& op(size_t result_count);

 private:
  std::mutex mutex_;
  std::map<size_t, const dispatch::Operator*> ops_;
};

// Results that share memory with an input are copied: they have a gradient of their own.
Tensors run_forward(const Definition& definition, const Tensors& inputs) {
  Tensors results = definition.forward(inputs);
  for (Tensor& result : results) {
    const bool is_shared = std::ranges::any_of(
        inputs, [&](const Tensor& input) { return result.shares_storage_with(input); });
    if (is_shared) result = copy(result, result);
  }
  return results;
}

Tensors run_backward(const Definition& definition, const CustomCall& call, Tensors grads) {
  for (size_t i = 0; i < grads.size(); ++i) {
    if (!grads[i].defined()) grads[i] = zeros_like(call.results[i]);
  }
  Tensors results = definition.backward(call, grads);
  RIDGE_CHECK(results.size() == call.inputs.size(), .code = ErrorCode::gradient,
              .op = definition.name,
              .expected = concat("a gradient for each of ", call.inputs.size(), " inputs"),
              .given = concat(results.size()), .where = definition.where);
  return results;
}

// "custom_vjp_3(Tensor[] inputs) -> (Tensor r0, Tensor r1)", and what its rule saves: everything.
std::pair<std::string, std::string> schema_and_saves(size_t result_count) {
  static std::atomic<uint64_t> count = 0;
  std::string results;
  std::string saves = "inputs";
  for (size_t i = 0; i < result_count; ++i) {
    results += concat(i > 0 ? ", " : "", "Tensor r", i);
    saves += concat(", r", i);
  }
  return {concat("custom_vjp_", count++, "(Tensor[] inputs) -> (", results, ")"), saves};
}

const dispatch::Operator& Definition::op(size_t result_count) {
  const std::lock_guard lock(mutex_);
  const dispatch::Operator*& known = ops_[result_count];
  if (known != nullptr) return *known;
  const Ref<Definition> self(this);
  const auto inputs_of = [](const ops::Call& call) {
    const auto inputs = call.tensors("inputs");
    return Tensors(inputs.begin(), inputs.end());
  };
  ops::OpRecord record;
  std::tie(record.schema, record.saves) = schema_and_saves(result_count);
  record.doc = "the function " + name + ", with a gradient of its own";
  record.decompose = [self, inputs_of](const ops::Call& call) {
    return run_forward(*self, inputs_of(call));
  };
  record.grad = [self, inputs_of, result_count](const ops::Grads& grads, const ops::Saved& saved) {
    CustomCall call{.inputs = inputs_of(saved), .results = {}, .needed = {}};
    for (size_t i = 0; i < call.inputs.size(); ++i) call.needed.push_back(saved.needs(i));
    for (size_t i = 0; i < result_count; ++i) call.results.push_back(saved.output(i));
    return run_backward(*self, call, grads);
  };
  known = ops::registry().add(std::move(record), where).op;
  return *known;
}

// In a graph the function is one node, so that it is differentiated by its own rule. The node says
// what it returns, and nothing of what it writes.
Tensors record_custom(const Ref<Definition>& definition, const Tensors& inputs) {
  size_t result_count = 0;
  const std::optional<std::string> writer =
      dry_run([&] { result_count = run_forward(*definition, inputs).size(); });
  RIDGE_CHECK(!writer, .code = ErrorCode::state, .op = definition->name,
              .expected = "a function that writes to no tensor from outside of it",
              .given = concat(writer.value_or(""), " of one"),
              .hint = "write to a clone of it, and return that", .where = definition->where);
  const dispatch::Arg args[] = {dispatch::Arg(inputs)};
  return dispatch::call_values(definition->op(result_count), args, definition->where);
}

std::vector<SavedTensor> saved(const Tensors& tensors) {
  std::vector<SavedTensor> list;
  for (const Tensor& tensor : tensors) list.push_back(SavedTensor::of(tensor));
  return list;
}

Edges edges_of(const Tensors& tensors) {
  Edges edges;
  for (const Tensor& tensor : tensors) edges.push_back(edge_of(tensor));
  return edges;
}

class CustomNode : public Node {
 public:
  CustomNode(Ref<Definition> definition, const Tensors& inputs, const Tensors& results)
      : Node(definition->name, definition->where, results.size(), edges_of(inputs)),
        definition_(std::move(definition)),
        inputs_(saved(inputs)),
        results_(saved(results)) {}

  Tensors run(const Tensors& given, const Needed& needed) override {
    const CustomCall call = unpack(needed);
    Tensors results = run_backward(*definition_, call, given);
    for (size_t i = 0; i < results.size(); ++i) {
      if (!needed[i] || !results[i].defined()) {
        results[i] = {};
      } else {
        results[i] = inputs_[i].fitted(std::move(results[i]), name(), ErrorCode::gradient);
      }
    }
    return results;
  }

  void release() override {
    Tensors values;  // fall after the lock
    const std::lock_guard lock(stripe(this));
    for (SavedTensor& input : inputs_) values.push_back(input.take_value());
    for (SavedTensor& result : results_) values.push_back(result.take_value());
    is_released_ = true;
  }

 private:
  CustomCall unpack(const Needed& needed) {
    CustomCall call{.inputs = {}, .results = {}, .needed = needed};
    const std::lock_guard lock(stripe(this));
    RIDGE_CHECK(!is_released_, .code = ErrorCode::gradient, .op = definition_->name,
                .expected = "the values this call saved for its gradient",
                .given = "a graph that was differentiated before and let them go",
                .hint = "ask for retain_graph the first time");
    for (size_t i = 0; i < inputs_.size(); ++i) {
      inputs_[i].check_unchanged(*this, concat("input ", i));
      call.inputs.push_back(inputs_[i].unpack(edges()[i]));
    }
    for (uint32_t i = 0; i < results_.size(); ++i) {
      results_[i].check_unchanged(*this, concat("result ", i));
      const bool has_history = is_floating(results_[i].dtype());
      call.results.push_back(results_[i].unpack(has_history ? Edge(Ref<Node>(this), i) : Edge()));
    }
    return call;
  }

  Ref<Definition> definition_;
  // Behind this node's stripe, because one thread may release what another one runs.
  std::vector<SavedTensor> inputs_;
  std::vector<SavedTensor> results_;
  bool is_released_ = false;
};

Tensors call_custom(const Ref<Definition>& definition, const Tensors& inputs) {
  if (dispatch::is_captured()) return record_custom(definition, inputs);
  Tensors results;
  {
    const dispatch::GradMode values_only(false);
    results = run_forward(*definition, inputs);
  }
  const bool is_recorded =
      dispatch::thread_state().grad_enabled &&
      std::ranges::any_of(inputs, [](const Tensor& input) { return input.requires_grad(); });
  if (!is_recorded) return results;
  // Whatever else holds a result (a cache, say) sees no history.
  for (Tensor& result : results) result = result.alias();
  const auto node = make_ref<CustomNode>(definition, inputs, results);
  for (uint32_t i = 0; i < results.size(); ++i) {
    if (is_floating(results[i].dtype())) attach(results[i], Edge(node, i));
  }
  return results;
}

}  // namespace
}  // namespace autograd

CustomFunction custom_vjp(CustomForward forward, CustomBackward backward, std::string name,
                          Location where) {
  auto definition = make_ref<autograd::Definition>();
  definition->forward = std::move(forward);
  definition->backward = std::move(backward);
  definition->name = std::move(name);
  definition->where = where;
  return [definition](const std::vector<Tensor>& inputs) {
    return autograd::call_custom(definition, inputs);
  };
}

}  // namespace ridge

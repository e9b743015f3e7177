#include "ridge/autograd/custom_vjp.h"

#include <algorithm>

#include "ridge/autograd/meta.h"
#include "ridge/autograd/saved_tensor.h"
#include "ridge/autograd/stripe.h"
#include "ridge/base/text.h"
#include "ridge/dispatch/thread_state.h"
#include "ridge/ops/arithmetic.h"
#include "ridge/ops/creation.h"

namespace ridge {

namespace autograd {
namespace {

struct Definition : RefCounted {
  CustomForward forward;
  CustomBackward backward;
  std::string name;
  Location where;
};

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
    Tensors grads = given;
    for (size_t i = 0; i < grads.size(); ++i) {
      if (!grads[i].defined()) grads[i] = zeros_like(call.results[i]);
    }
    Tensors results = definition_->backward(call, grads);
    RIDGE_CHECK(results.size() == inputs_.size(), .code = ErrorCode::gradient,
                .op = definition_->name,
                .expected = concat("a gradient for each of ", inputs_.size(), " inputs"),
                .given = concat(results.size()), .where = definition_->where);
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
  Tensors results;
  {
    const dispatch::GradMode values_only(false);
    results = definition->forward(inputs);
    for (Tensor& result : results) {
      const bool is_shared = std::ranges::any_of(
          inputs, [&](const Tensor& input) { return result.shares_storage_with(input); });
      if (is_shared) result = copy(result, result);
    }
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

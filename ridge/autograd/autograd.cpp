#include "ridge/autograd/autograd.h"

#include "ridge/autograd/autograd_record.h"
#include "ridge/autograd/engine.h"
#include "ridge/autograd/leaf.h"
#include "ridge/autograd/view.h"
#include "ridge/base/text.h"
#include "ridge/ops/arithmetic.h"
#include "ridge/ops/creation.h"

namespace ridge {

using autograd::AutogradRecord;
using autograd::Captured;
using autograd::Edge;
using autograd::LeafNode;
using autograd::Root;

namespace {

// The collecting node of a leaf that was ever asked to require grad.
LeafNode* leaf_node(const Tensor& tensor) {
  const AutogradRecord* record = autograd::find_record(tensor);
  return record != nullptr && record->owns_leaf ? static_cast<LeafNode*>(record->edge.node.get())
                                                : nullptr;
}

[[noreturn]] void fail(const char* function, std::string expected, std::string given,
                       Location where) {
  throw Error({.code = ErrorCode::gradient,
               .op = function,
               .expected = std::move(expected),
               .given = std::move(given),
               .where = where});
}

Edge edge_for(const char* function, const Tensor& tensor, const std::string& role, Location where) {
  if (!tensor.requires_grad(where)) {
    fail(function, concat(role, " that requires grad"),
         concat(describe(tensor), ", which does not"), where);
  }
  return autograd::edge_of(tensor);
}

Tensor root_gradient(const char* function, const Tensor& root, const Tensor& given,
                     Location where) {
  if (!given.defined()) {
    RIDGE_CHECK(root.numel() == 1, .code = ErrorCode::gradient, .op = function,
                .expected = "a root of one element, or a gradient for it", .given = describe(root),
                .hint = "reduce it, for instance by mean; or give a gradient of its shape",
                .where = where);
    return ones(root.shape(), root.dtype(), root.device());
  }
  const bool is_fitting = given.shape() == root.shape() && given.device() == root.device() &&
                          is_floating(given.dtype());
  if (!is_fitting) {
    fail(function, "a gradient for the root " + describe(root), describe(given), where);
  }
  return given.dtype() == root.dtype() ? given : cast(given, root.dtype());
}

}  // namespace

void set_requires_grad(const Tensor& tensor, bool value, Location where) {
  if (value && !is_floating(tensor.dtype(where))) {
    fail("set_requires_grad", "a floating dtype", std::string(name(tensor.dtype())), where);
  }
  AutogradRecord& record = autograd::record_of(tensor);
  const bool is_computed = tensor.requires_grad() && !record.owns_leaf;
  if (is_computed) {
    if (!value) {
      fail("set_requires_grad", "a leaf (detach cuts a tensor off)",
           concat(describe(tensor), " computed by ", autograd::edge_of(tensor).node->name()),
           where);
    }
    return;
  }
  if (value && !record.owns_leaf) {
    record.view.reset();  // a leaf has no history, whatever memory it shares
    record.edge = Edge(make_ref<LeafNode>(where), 0);
    record.owns_leaf = true;
  }
  tensor.impl(where).requires_grad = value;
}

bool is_leaf(const Tensor& tensor, Location where) {
  return !tensor.requires_grad(where) || leaf_node(tensor);
}

Tensor grad_of(const Tensor& leaf, Location where) {
  leaf.impl(where);
  const LeafNode* node = leaf_node(leaf);
  return node != nullptr ? node->grad() : Tensor();
}

void clear_grad(const Tensor& leaf, Location where) {
  leaf.impl(where);
  if (LeafNode* node = leaf_node(leaf)) node->set_grad({});
}

void backward(const At& root, const Tensor& gradient, BackwardOptions options) {
  const Edge edge = edge_for("backward", root.tensor(), "a root", root.where());
  located("backward", root.where(), [&] {
    const Tensor seed = root_gradient("backward", root.tensor(), gradient, root.where());
    autograd::run_to_leaves({{edge, seed}}, {options.retain_graph, options.create_graph});
  });
}

std::vector<Tensor> gradients(const std::vector<Tensor>& outputs, const std::vector<Tensor>& inputs,
                              const std::vector<Tensor>& output_gradients, GradientsOptions options,
                              Location where) {
  constexpr auto kName = "gradients";
  if (!output_gradients.empty() && output_gradients.size() != outputs.size()) {
    fail(kName, concat("a gradient for each of ", outputs.size(), " outputs"),
         concat(output_gradients.size()), where);
  }
  std::vector<Edge> targets;
  for (const Tensor& input : inputs) targets.push_back(edge_for(kName, input, "an input", where));
  std::vector<Root> roots;
  for (size_t i = 0; i < outputs.size(); ++i) {
    const Tensor given = output_gradients.empty() ? Tensor() : output_gradients[i];
    roots.push_back({edge_for(kName, outputs[i], "an output", where),
                     root_gradient(kName, outputs[i], given, where)});
  }
  std::vector<Captured> captured = located(kName, where, [&] {
    return autograd::run_to(roots, targets, {options.retain_graph, options.create_graph});
  });

  std::vector<Tensor> results;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (captured[i].grad.defined()) {
      results.push_back(std::move(captured[i].grad));
    } else if (captured[i].is_reached) {
      results.push_back(zeros(inputs[i].shape(), inputs[i].dtype(), inputs[i].device()));
    } else if (options.allow_unused) {
      results.emplace_back();
    } else {
      fail(kName, "inputs that the outputs depend on, or allow_unused",
           concat("input ", i, ", ", describe(inputs[i])), where);
    }
  }
  return results;
}

HookHandle::HookHandle(Ref<autograd::Hook> hook) : hook_(std::move(hook)) {}
HookHandle::HookHandle(const HookHandle&) = default;
HookHandle& HookHandle::operator=(const HookHandle&) = default;
HookHandle::~HookHandle() = default;

void HookHandle::remove() {
  if (hook_) autograd::Node::remove_hook(*hook_);
}

HookHandle add_hook(const Tensor& tensor, std::function<Tensor(const Tensor&)> hook,
                    Location where) {
  const Edge edge = edge_for("add_hook", tensor, "a tensor", where);
  return HookHandle(edge.node->add_hook(edge.index, std::move(hook)));
}

}  // namespace ridge

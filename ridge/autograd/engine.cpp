#include "ridge/autograd/engine.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "ridge/autograd/leaf.h"
#include "ridge/base/text.h"
#include "ridge/dispatch/thread_state.h"
#include "ridge/ops/arithmetic.h"

namespace ridge::autograd {

namespace {

using NodeSet = std::unordered_set<const Node*>;

// The nodes, of those the roots depend on, from which a target can be reached.
NodeSet nodes_towards(std::span<const Edge> targets, const std::vector<Root>& roots) {
  NodeSet is_target;
  uint64_t lowest = UINT64_MAX;
  for (const Edge& target : targets) {
    is_target.insert(target.node.get());
    lowest = std::min(lowest, target.node->sequence());
  }
  std::vector<const Node*> found;
  NodeSet seen;
  const auto visit = [&](const Edge& edge) {
    // Edges only lead downwards.
    if (!edge || edge.node->sequence() < lowest) return;
    if (seen.insert(edge.node.get()).second) found.push_back(edge.node.get());
  };
  for (const Root& root : roots) visit(root.edge);
  for (size_t i = 0; i < found.size(); ++i) {
    for (const Edge& edge : found[i]->edges()) visit(edge);
  }
  std::sort(found.begin(), found.end(),
            [](const Node* a, const Node* b) { return a->sequence() < b->sequence(); });
  NodeSet useful;
  for (const Node* node : found) {
    const bool leads_on = std::ranges::any_of(
        node->edges(), [&](const Edge& edge) { return useful.contains(edge.node.get()); });
    if (leads_on || is_target.contains(node)) useful.insert(node);
  }
  return useful;
}

class Run {
 public:
  Run(RunOptions options, std::span<const Edge> targets, const std::vector<Root>& roots)
      : options_(options), targets_(targets), captured_(targets.size()) {
    if (!targets.empty()) useful_ = nodes_towards(targets, roots);
    for (size_t i = 0; i < targets.size(); ++i) {
      captured_[i].is_reached = useful_.contains(targets[i].node.get());
      captured_at_.emplace(targets[i].node.get(), i);
    }
  }

  void run(const std::vector<Root>& roots) {
    const dispatch::GradMode mode(options_.create_graph);
    // Operands were saved after autocast had its say; their gradients follow their dtypes.
    const dispatch::ExcludeKeys as_saved(dispatch::Key::autocast);
    for (const Root& root : roots) send(root.edge, root.grad);
    while (!waiting_.empty()) {
      auto next = waiting_.extract(waiting_.begin());
      run_node(std::move(next.mapped()));
    }
    std::vector<LeafNode::Share> shares;
    for (auto& [leaf, grad] : for_leaves_) {
      shares.push_back({&static_cast<LeafNode&>(*leaf), std::move(grad)});
    }
    LeafNode::accumulate(std::move(shares));
  }

  std::vector<Captured> take_captured() { return std::move(captured_); }

 private:
  struct Waiting {
    Ref<Node> node;
    Tensors grads;
  };

  bool is_useful(const Edge& edge) const {
    return edge && (targets_.empty() || useful_.contains(edge.node.get()));
  }

  void send(const Edge& edge, Tensor grad) {
    if (!is_useful(edge)) return;
    Waiting& to = waiting_[edge.node->sequence()];
    if (!to.node) {
      to.node = edge.node;
      to.grads.resize(edge.node->result_count());
    }
    Tensor& sum = to.grads[edge.index];
    sum = sum.defined() ? sum + grad : std::move(grad);
  }

  void run_node(Waiting waiting) {
    Node& node = *waiting.node;
    if (node.has_hooks()) run_hooks(node, waiting.grads);
    const auto [first, last] = captured_at_.equal_range(&node);
    for (auto at = first; at != last; ++at) {
      captured_[at->second].grad = waiting.grads[targets_[at->second].index];
    }
    if (node.is_leaf()) {
      if (targets_.empty()) for_leaves_.emplace_back(waiting.node, std::move(waiting.grads[0]));
      return;
    }
    Needed needed;
    for (const Edge& edge : node.edges()) needed.push_back(is_useful(edge));
    if (std::ranges::find(needed, true) == needed.end()) return;

    Tensors grads = node.run(waiting.grads, needed);
    if (!options_.retain_graph && !options_.create_graph) node.release();
    waiting.grads.clear();
    for (size_t i = 0; i < grads.size(); ++i) {
      if (grads[i].defined()) send(node.edges()[i], std::move(grads[i]));
    }
  }

  static void run_hooks(const Node& node, Tensors& grads) {
    for (uint32_t i = 0; i < grads.size(); ++i) {
      if (!grads[i].defined()) continue;
      Tensor hooked = node.run_hooks(i, grads[i]);
      RIDGE_CHECK(hooked.shape() == grads[i].shape() && hooked.dtype() == grads[i].dtype(),
                  .code = ErrorCode::gradient, .op = std::string(node.name()),
                  .expected = "a hook that returns a gradient " + describe(grads[i]),
                  .given = describe(hooked));
      grads[i] = std::move(hooked);
    }
  }

  RunOptions options_;
  std::span<const Edge> targets_;
  NodeSet useful_;  // empty when there are no targets: then every node is
  std::map<uint64_t, Waiting, std::greater<>> waiting_;  // by sequence number, highest first
  std::vector<std::pair<Ref<Node>, Tensor>> for_leaves_;
  std::unordered_multimap<const Node*, size_t> captured_at_;  // positions in targets_
  std::vector<Captured> captured_;
};

}  // namespace

void run_to_leaves(const std::vector<Root>& roots, RunOptions options) {
  Run(options, {}, roots).run(roots);
}

std::vector<Captured> run_to(const std::vector<Root>& roots, std::span<const Edge> targets,
                             RunOptions options) {
  if (targets.empty()) return {};
  Run run(options, targets, roots);
  run.run(roots);
  return run.take_captured();
}

}  // namespace ridge::autograd

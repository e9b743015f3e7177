// A node of the graph that backward walks: one recorded call.
//
//   y = mul(a, b)        node "mul", edges {producer of a, producer of b}
//   z = exp(y)           node "exp", edges {the node of mul, result 0}
//
// A node gets the gradients of its results and gives those of its operands, which travel along its
// edges. Edges are fixed when a node is made, and sequence numbers come from one counter, so every
// edge leads to a smaller number: descending numbers are a topological order, the same on each run.
//
// Graphs get deep. A chain of a hundred thousand nodes is dropped without recursion, because every
// reference to a node that a node or a tensor owns is an Edge, and edges that fall while others
// fall are queued.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "ridge/base/error.h"
#include "ridge/core/tensor.h"
#include "ridge/dispatch/arg.h"

namespace ridge::autograd {

using dispatch::Tensors;

class Node;

// Where a gradient goes: to result `index` of the call `node` stands for. No node: nowhere.
struct Edge {
  Ref<Node> node;
  uint32_t index = 0;

  Edge() = default;
  Edge(Ref<Node> node_, uint32_t index_) : node(std::move(node_)), index(index_) {}
  Edge(const Edge&) = default;
  Edge(Edge&&) noexcept = default;
  Edge& operator=(Edge other) noexcept {
    node.swap(other.node);
    index = other.index;
    return *this;
  }
  ~Edge();

  explicit operator bool() const { return static_cast<bool>(node); }
};
using Edges = SmallVector<Edge, 3>;

// Which operands somebody wants the gradient of, by number.
using Needed = std::vector<bool>;

// Called with a complete gradient; may return another to use instead, or an undefined tensor.
using HookFunction = std::function<Tensor(const Tensor&)>;

// One function on one gradient. Removing it frees the function, though the node may live on.
struct Hook : RefCounted {
  uint32_t index = 0;
  HookFunction function;
};

class Node : public RefCounted {
 public:
  // `name` must live as long as the node.
  Node(std::string_view name, Location where, size_t result_count, Edges edges);

  std::string_view name() const { return name_; }
  Location where() const { return where_; }  // of the forward call, in the user's program
  uint64_t sequence() const { return sequence_; }
  size_t result_count() const { return result_count_; }
  const Edges& edges() const { return edges_; }
  virtual bool is_leaf() const { return false; }

  // Gradients of the results in (undefined where none arrived), of the operands out: one for each
  // edge, of the operand's shape and dtype, undefined where there is none or it is not needed.
  virtual Tensors run(const Tensors& grads, const Needed& needed) = 0;
  // Drops what was saved for `run`, which from then on is an Error{gradient}. A node that saved
  // nothing can run again.
  virtual void release() {}

  // Hooks run in the order they were added, each on what the one before it returned.
  Ref<Hook> add_hook(uint32_t index, HookFunction function);
  static void remove_hook(Hook& hook);
  bool has_hooks() const { return has_hooks_.load(std::memory_order_acquire); }
  Tensor run_hooks(uint32_t index, Tensor grad) const;

 private:
  std::string_view name_;
  Location where_;
  uint64_t sequence_;
  size_t result_count_;
  Edges edges_;
  std::atomic<bool> has_hooks_{false};
  std::vector<Ref<Hook>> hooks_;  // behind one mutex for all nodes
};

}  // namespace ridge::autograd

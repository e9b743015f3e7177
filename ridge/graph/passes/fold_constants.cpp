#include <algorithm>
#include <optional>

#include "ridge/dispatch/call.h"
#include "ridge/graph/control.h"
#include "ridge/graph/passes/passes.h"
#include "ridge/graph/rewriter.h"
#include "ridge/ops/view.h"

namespace ridge::graph {
namespace {

using dispatch::Key;

constexpr int64_t kMostElements = 64;

bool is_small(const Value& value) {
  const auto count = numel(value.type.shape).known();
  return count && *count <= kMostElements && value.type.device == kCpu;
}

bool has_type(const Tensor& tensor, const Type& type) {
  return tensor.dtype() == type.dtype && tensor.is_weak() == type.is_weak &&
         is_same(tensor.shape(), type.shape);
}

// The results of a node over constants, in memory of their own; nothing if they cannot be had.
std::optional<dispatch::Tensors> computed(const Graph& graph, const Node& node) {
  const dispatch::ExcludeKeys runs_now({Key::trace, Key::autograd, Key::autocast, Key::profile});
  const dispatch::IncludeKeys by_reference(Key::reference);
  try {
    const BoundArguments bound(node, [&](ValueId id) { return graph[id].constant; });
    dispatch::Tensors results = dispatch::call_values(*node.op, bound.args(), node.where);
    for (Tensor& result : results) {
      const bool is_weak = result.is_weak();
      result = clone(result);
      result.impl().is_weak = is_weak;
    }
    return results;
  } catch (const Error& error) {
    // Without memory the same function would become another program.
    if (error.code() == ErrorCode::memory) throw;
    return std::nullopt;
  }
}

// A node of the new graph, whose results had these numbers in the old one.
bool is_foldable(const Graph& old, const ValueIds& results, const Graph& now, const Node& node) {
  const ValueIds read = operands(node);
  return !is_control(node) && !read.empty() && std::ranges::all_of(read, [&](ValueId id) {
    return now[id].constant.defined() && is_small(now[id]);
  }) && std::ranges::all_of(results, [&](ValueId id) { return is_small(old[id]); });
}

}  // namespace

Graph fold_constants(Graph graph, const PassContext&) {
  if (!is_functional(graph)) return graph;
  const auto is_any = [&](const Node& node) {
    return is_foldable(graph, node.results, graph, node);
  };
  if (std::ranges::none_of(graph.nodes, is_any)) return graph;
  Rewriter rewriter(graph);
  for (Node& node : graph.nodes) {
    Node now = rewriter.taken(node);
    std::optional<dispatch::Tensors> results;
    if (is_foldable(graph, node.results, rewriter.graph(), now)) {
      results = computed(rewriter.graph(), now);
    }
    bool fits = results.has_value();
    for (size_t i = 0; fits && i < node.results.size(); ++i) {
      fits = has_type((*results)[i], graph[node.results[i]].type);
    }
    if (!fits) {
      rewriter.add(std::move(now), node.results);
      continue;
    }
    for (size_t i = 0; i < node.results.size(); ++i) {
      rewriter.map(node.results[i], rewriter.graph().add_constant((*results)[i]));
    }
  }
  return rewriter.finish();
}

}  // namespace ridge::graph

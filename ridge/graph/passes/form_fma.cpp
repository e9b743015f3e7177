#include <algorithm>
#include <optional>

#include "ridge/expr/simplify.h"
#include "ridge/graph/passes/passes.h"
#include "ridge/graph/rewriter.h"
#include "ridge/ops/registry.h"

namespace ridge::graph {
namespace {

std::vector<int> read_counts(const Graph& graph) {
  std::vector<int> counts(graph.values.size());
  const auto read = [&](ValueId id) { ++counts[static_cast<size_t>(id.index)]; };
  for (const Node& node : graph.nodes) std::ranges::for_each(operands(node), read);
  std::ranges::for_each(graph.outputs, read);
  for (const Update& update : graph.updates) read(update.value);
  return counts;
}

// A sum and the operand of it that is a product of its own.
struct Contraction {
  int32_t product = -1;  // the node
  size_t side = 0;       // of the sum
};

class Contractor {
 public:
  explicit Contractor(const Graph& graph)
      : graph_(graph), counts_(read_counts(graph)), found_(graph.nodes.size()) {
    is_taken_.resize(graph.nodes.size());
    for (size_t i = 0; i < graph.nodes.size(); ++i) {
      found_[i] = find(graph.nodes[i]);
      if (found_[i].product >= 0) is_taken_[static_cast<size_t>(found_[i].product)] = true;
    }
  }

  bool has_any() const { return std::ranges::find(is_taken_, true) != is_taken_.end(); }

  Graph run() {
    Rewriter rewriter(graph_);
    for (size_t i = 0; i < graph_.nodes.size(); ++i) {
      if (is_taken_[i]) continue;
      const Node& node = graph_.nodes[i];
      if (found_[i].product < 0) {
        rewriter.copy(node);
      } else {
        rewriter.add(contracted(rewriter, node, found_[i]), node.results);
      }
    }
    return rewriter.finish();
  }

 private:
  Contraction find(const Node& sum) const {
    const bool is_sum = sum.op == &add_ || sum.op == &sub_;
    if (type_of(sum).device == kCpu && !expr::cpu_has_fma()) return {};
    if (!is_sum || sum.forms || !is_floating(type_of(sum).dtype)) return {};
    const ValueIds terms = operands(sum);
    for (size_t side = 0; side < 2; ++side) {
      const int32_t maker = graph_[terms[side]].node;
      if (maker >= 0 && can_take(sum, terms, side)) return {maker, side};
    }
    return {};
  }

  bool can_take(const Node& sum, const ValueIds& terms, size_t side) const {
    const Node& product = graph_.nodes[static_cast<size_t>(graph_[terms[side]].node)];
    if (product.op != &mul_ || product.forms) return false;
    if (product.phase != sum.phase || product.region != sum.region) return false;
    if (counts_[static_cast<size_t>(terms[side].index)] != 1) return false;
    const Type &whole = type_of(sum), &part = type_of(product);
    if (part.dtype != whole.dtype || part.is_weak || part.device != whole.device) return false;
    const ValueIds all = factors_and_addend(product, terms, side);
    if (!std::ranges::all_of(all, [&](ValueId id) { return is_float(id); })) return false;
    if (sum.op == &sub_ && !signed_operand(sum, all, side)) return false;
    return promotes_to(whole.dtype, all);
  }
  static ValueIds factors_and_addend(const Node& product, const ValueIds& terms, size_t side) {
    ValueIds all = operands(product);
    all.push_back(terms[1 - side]);
    return all;
  }
  // Of a difference: the addend, or a factor of the product that is subtracted. It has the shape of the
  // sum, so that its negation is computed where the sum is and not by a kernel of its own; and it is no
  // plain number, which would lose that it is one with its sign.
  std::optional<size_t> signed_operand(const Node& sum, const ValueIds& all, size_t side) const {
    const auto can_be_negated = [&](size_t operand) {
      const Type& type = graph_[all[operand]].type;
      return !type.is_weak && is_same(type.shape, type_of(sum).shape);
    };
    for (const size_t operand : side == 0 ? std::vector<size_t>{2} : std::vector<size_t>{0, 1}) {
      if (can_be_negated(operand)) return operand;
    }
    return std::nullopt;
  }
  bool is_float(ValueId id) const { return is_floating(graph_[id].type.dtype); }
  // Would the three together have the dtype that two and two have?
  bool promotes_to(DType dtype, const ValueIds& ids) const {
    std::vector<Tensor> meta_tensors;
    for (const ValueId id : ids) {
      const Type& type = graph_[id].type;
      meta_tensors.push_back(Tensor::empty(type.shape, type.dtype, kMeta));
      meta_tensors.back().impl().is_weak = type.is_weak;
    }
    const std::vector<const Tensor*> pointers{&meta_tensors[0], &meta_tensors[1], &meta_tensors[2]};
    return ops::promoted(pointers) == dtype;
  }

  Node contracted(Rewriter& rewriter, const Node& sum, const Contraction& found) const {
    const Node& product = graph_.nodes[static_cast<size_t>(found.product)];
    const ValueIds all = factors_and_addend(product, operands(sum), found.side);
    ValueIds now;
    for (const ValueId id : all) now.push_back(rewriter[id]);
    if (sum.op == &sub_) {
      ValueId& subtracted = now[*signed_operand(sum, all, found.side)];
      subtracted = negated(rewriter.graph(), subtracted, sum);
    }
    Node node = sum;
    node.op = &fma_;
    node.args = {now[0], now[1], now[2]};
    node.results.clear();
    return node;
  }
  ValueId negated(Graph& graph, ValueId id, const Node& sum) const {
    const Type type = graph[id].type;
    const int32_t position = graph.add_node(neg_, {id}, {type}, sum.where, sum.scope);
    Node& added = graph.nodes[static_cast<size_t>(position)];
    copy_marks(added, sum);
    return added.results[0];
  }
  const Type& type_of(const Node& node) const { return graph_[node.results[0]].type; }

  const dispatch::Operator& add_ = ops::find_op("add");
  const dispatch::Operator& sub_ = ops::find_op("sub");
  const dispatch::Operator& mul_ = ops::find_op("mul");
  const dispatch::Operator& neg_ = ops::find_op("neg");
  const dispatch::Operator& fma_ = ops::find_op("fma");
  const Graph& graph_;
  std::vector<int> counts_;  // reads, by value
  std::vector<Contraction> found_;
  std::vector<bool> is_taken_;  // products, by node
};

}  // namespace

Graph form_fma(Graph graph, const PassContext&) {
  if (!is_functional(graph)) return graph;
  Contractor contractor(graph);
  return contractor.has_any() ? contractor.run() : std::move(graph);
}

}  // namespace ridge::graph

#include "ridge/schedule/node_definition.h"

#include <algorithm>
#include <bit>
#include <set>
#include <unordered_map>
#include <utility>

#include "ridge/base/hash.h"
#include "ridge/base/text.h"
#include "ridge/expr/simplify.h"
#include "ridge/graph/call_words.h"
#include "ridge/ops/derived.h"
#include "ridge/ops/overwrite.h"
#include "ridge/schedule/domain.h"
#include "ridge/schedule/loops.h"

namespace ridge::schedule {

using dispatch::Arg;
using dispatch::ArgKind;
using expr::Kind;

namespace {

// A tensor of the type and no elements: all a rule looks at.
Tensor described(const graph::Type& type) {
  Tensor tensor = Tensor::empty(type.shape, type.dtype, kMeta);
  tensor.impl().is_weak = type.is_weak;
  return tensor;
}

// Numbers given as attributes are known when a kernel is made.
Expr with_params(const Expr& e, std::span<const Arg> args) {
  if (e.get() == nullptr) return e;
  return expr::transform(e, [&](const Expr& node) {
    if (node->kind != Kind::param) return node;
    const Arg& arg = args[static_cast<size_t>(node->index)];
    Expr number;
    if (arg.kind == ArgKind::integer) number = expr::constant(arg.integer);
    if (arg.kind == ArgKind::real) number = expr::constant(arg.real);
    if (arg.kind == ArgKind::flag) number = expr::constant(arg.flag);
    RIDGE_INTERNAL_CHECK(static_cast<bool>(number), "a definition reads a parameter left out");
    return expr::cast(number, node->type);
  });
}

// Collects the loads of one expression of a definition, over axes of `extents`: each once, however often the
// expression uses it. Parts that several others share are visited once, or twice if only some of those are
// sides of a select.
class SiteCollector {
 public:
  SiteCollector(const Graph& graph, const NodeDefinition& node_definition,
                std::vector<LoadSite>& sites)
      : graph_(graph), node_definition_(node_definition), sites_(sites) {}

  void collect(const Expr& e, const Shape& extents) {
    seen_.clear();
    collect(e, extents, false);
  }

 private:
  void collect(const Expr& e, const Shape& extents, bool is_predicated) {
    if (!seen_.emplace(e.get(), is_predicated).second) return;
    if (e->kind == Kind::load) {
      const ValueId operand = node_definition_.operands[static_cast<size_t>(e->index)];
      const std::span<const Expr> position(e->args.data(), e->args.size());
      const bool predicated =
          is_predicated && !is_in_range(position, graph_[operand].type.shape, extents);
      LoadSite site{e->index, {position.begin(), position.end()}, predicated, false};
      for (const Expr& index : position) {
        site.is_indirect |= has_load(index);
        collect(index, extents, is_predicated);
      }
      if (std::ranges::none_of(sites_,
                               [&](const LoadSite& other) { return is_same(site, other); })) {
        sites_.push_back(std::move(site));
      }
      return;
    }
    const bool is_select = is_call(e, expr::Function::select);
    for (size_t i = 0; i < e->args.size(); ++i) {
      collect(e->args[i], extents, is_predicated || (is_select && i > 0));
    }
  }

  static bool is_same(const LoadSite& a, const LoadSite& b) {
    return a.operand == b.operand && a.is_predicated == b.is_predicated &&
           a.is_indirect == b.is_indirect && std::ranges::equal(a.position, b.position, expr::same);
  }

  const Graph& graph_;
  const NodeDefinition& node_definition_;
  std::vector<LoadSite>& sites_;
  std::set<std::pair<const expr::Node*, bool>> seen_;
};

bool is_in_range(const Expr& index, const Size& size, const Shape& extents) {
  if (index->kind == Kind::axis && extents[static_cast<size_t>(index->index)].is_same(size)) {
    return true;
  }
  if (is_call(index, expr::Function::checked_index)) return true;
  const expr::Interval range = expr::interval_of(index, ranges_of(extents));
  const auto known = size.known();
  const int64_t least = known ? *known : expr::interval_of(size.expression()).low;
  return range.low >= 0 && range.high < least;
}

// Where sizes are known: a reduction of nothing is a number, a scatter of nothing leaves what was
// there. Nothing may be read then, not even once for a row.
void settle_empty(NodeDefinition& node_definition) {
  ops::Definition& d = node_definition.definition;
  if (numel(d.extents).known() != 0 || node_definition.is_map()) return;
  if (numel(node_definition.shape).known() == 0) return;
  if (d.is_scatter()) {
    d.value = d.initial;
    d.target.clear();
    d.initial = {};
    d.extents = node_definition.shape;
    d.output_rank = node_definition.shape.size();
  } else {
    const DType dtype = is_floating(node_definition.dtype)
                            ? f32
                            : (is_boolean(node_definition.dtype) ? boolean : i64);
    d.value = identity_of(d.reducer, dtype);
    d.extents.resize(d.output_rank);
  }
  d.reducer = ops::Reducer::none;
}

// The greatest of bools is whether any is true.
void settle_logic(ops::Definition& definition) {
  if (definition.value->type != expr::Type::boolean) return;
  if (definition.reducer == ops::Reducer::max) definition.reducer = ops::Reducer::any;
  if (definition.reducer == ops::Reducer::min) definition.reducer = ops::Reducer::all;
}

}  // namespace

bool has_load(const Expr& e) {
  bool found = false;
  expr::walk(e, [&](const Expr& node) { found |= node->kind == Kind::load; });
  return found;
}

uint64_t axes_in(const Expr& e) {
  if ((e->axes >> expr::Node::kLastAxis) == 0) return e->axes;
  uint64_t set = 0;
  expr::walk(e, [&](const Expr& node) {
    if (node->kind != Kind::axis) return;
    RIDGE_INTERNAL_CHECK(node->index < 64, "more axes than a set of them holds");
    set |= uint64_t{1} << node->index;
  });
  return set;
}

Expr substitute_axes(const Expr& e, const std::vector<Expr>& axes) {
  const auto stays = [&](int axis) {
    const Expr& now = axes[static_cast<size_t>(axis)];
    return now->kind == Kind::axis && now->index == axis;
  };
  uint32_t left = e->axes;
  while (left != 0 && (left >> expr::Node::kLastAxis) == 0 && stays(std::countr_zero(left))) {
    left &= left - 1;
  }
  if (left == 0) return e;
  return expr::transform(e, [&](const Expr& node) {
    return node->kind == Kind::axis ? axes[static_cast<size_t>(node->index)] : node;
  });
}

bool is_in_range(std::span<const Expr> position, const Shape& shape, const Shape& extents) {
  for (size_t i = 0; i < position.size(); ++i) {
    if (!is_in_range(position[i], shape[i], extents)) return false;
  }
  return true;
}

std::vector<LoadSite> load_sites(const Graph& graph, const NodeDefinition& node_definition) {
  std::vector<LoadSite> sites;
  SiteCollector collector(graph, node_definition, sites);
  const ops::Definition& d = node_definition.definition;
  collector.collect(d.value, d.extents);
  for (const Expr& index : d.target) collector.collect(index, d.extents);
  if (d.initial) collector.collect(d.initial, node_definition.shape);
  return sites;
}

std::vector<Expr> NodeDefinition::position(const std::vector<Expr>& axes) const {
  if (written.empty()) {
    return {axes.begin(), axes.begin() + static_cast<ptrdiff_t>(shape.size())};
  }
  std::vector<Expr> result;
  for (const Expr& index : written) result.push_back(substitute_axes(index, axes));
  return result;
}

bool NodeDefinition::is_view(const Graph& graph) const {
  const Expr& value = definition.value;
  if (!is_map() || value->kind != Kind::load || !written.empty()) return false;
  const ValueId operand = operands[static_cast<size_t>(value->index)];
  for (const Expr& index : value->args) {
    if (has_load(index)) return false;
  }
  return graph[operand].type.dtype == dtype && compute[static_cast<size_t>(value->index)] == dtype;
}

namespace {

std::vector<ValueId> operands_in(const graph::Node& node) {
  std::vector<ValueId> operands;
  const auto& parameters = node.op->schema().parameters;
  for (size_t i = 0; i < node.args.size(); ++i) {
    if (const auto* list = std::get_if<graph::ValueIds>(&node.args[i])) {
      operands.insert(operands.end(), list->begin(), list->end());
    } else if (const auto* id = std::get_if<ValueId>(&node.args[i])) {
      operands.push_back(*id);
    } else if (parameters[i].kind == ArgKind::tensor) {
      operands.push_back(ValueId{});
    }
  }
  return operands;
}

}  // namespace

NodeDefinition define_node(const Graph& graph, const graph::Node& node, bool fills_numbers) {
  const ops::OpRecord* record = node.op->record();
  RIDGE_INTERNAL_CHECK(
      record != nullptr && !record->decompose && node.results.size() == 1,
      concat("the scheduler needs one definition, not the composite ", node.op->name()));
  const graph::BoundArguments bound(node, [&](ValueId id) { return described(graph[id].type); });
  const ops::Call call(node.op->schema(), bound.args());
  const ops::Resolved resolved = ops::resolve(*record, call);

  NodeDefinition node_definition{.definition = ops::definition_of(*record, call, resolved),
                                 .operands = operands_in(node),
                                 .compute = resolved.dtypes.inputs,
                                 .dtype = resolved.dtypes.outputs[0],
                                 .shape = resolved.shapes[0],
                                 .overwrites = ops::overwritten_position(call)};
  return fills_numbers ? with_numbers(std::move(node_definition), bound.args()) : node_definition;
}

// Equal calls have equal definitions, but for the values they read.
std::vector<NodeDefinition> define_nodes(const Graph& graph) {
  std::vector<NodeDefinition> node_definitions;
  node_definitions.reserve(graph.nodes.size());
  std::unordered_map<graph::CallWords, size_t, graph::CallWordsHash> known;
  for (const graph::Node& node : graph.nodes) {
    const auto [found, is_new] =
        known.try_emplace(graph::call_words(graph, node), node_definitions.size());
    if (is_new) {
      node_definitions.push_back(define_node(graph, node));
      continue;
    }
    node_definitions.push_back(node_definitions[found->second]);
    node_definitions.back().operands = operands_in(node);
  }
  return node_definitions;
}

NodeDefinition with_numbers(NodeDefinition node_definition, std::span<const Arg> args) {
  ops::Definition& definition = node_definition.definition;
  definition.value = expr::form_fma(expr::simplify(with_params(definition.value, args)));
  definition.initial = with_params(definition.initial, args);
  for (Expr& index : definition.target) index = with_params(index, args);
  settle_empty(node_definition);
  settle_logic(definition);
  return node_definition;
}

}  // namespace ridge::schedule

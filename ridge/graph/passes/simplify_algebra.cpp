#include <algorithm>
#include <cmath>
#include <optional>

#include "ridge/graph/passes/passes.h"
#include "ridge/graph/rewriter.h"
#include "ridge/ops/registry.h"

namespace ridge::graph {
namespace {

bool is_same(const Type& a, const Type& b) {
  return a.dtype == b.dtype && a.device == b.device && a.is_weak == b.is_weak &&
         ridge::is_same(a.shape, b.shape);
}

// A call where a rule may apply. The node is over values of `graph` and not yet part of it.
struct Site {
  const Graph& graph;
  const Node& node;
  const Type& type;  // of its result

  ValueId operand(size_t i) const { return operands(node)[i]; }
  const Type& type_of(size_t i) const { return graph[operand(i)].type; }
  // What computes an operand, if it is a call of the same op, or of the given one.
  const Node* producer(size_t i) const { return producer(i, *node.op); }
  const Node* producer(size_t i, const dispatch::Operator& op) const {
    const int32_t position = graph[operand(i)].node;
    if (position < 0) return nullptr;
    const Node& found = graph.nodes[static_cast<size_t>(position)];
    return found.op == &op ? &found : nullptr;
  }
  // The number an operand is, if it is one.
  std::optional<expr::Number> number(size_t i) const {
    const Tensor& constant = graph[operand(i)].constant;
    if (!constant.defined() || constant.numel().known() != 1) return std::nullopt;
    if (is_storage_only(constant.dtype())) return std::nullopt;
    return load_element(constant.dtype(), constant.raw_data(), 0);
  }
  bool is_number(size_t i, double value) const {
    const auto n = number(i);
    if (!n) return false;
    const double given = n->as_real();
    return given == value &&
           (!is_floating(type.dtype) || std::signbit(given) == std::signbit(value));
  }
};

// A value instead of the call, another call instead of it, or neither.
struct Rewrite {
  std::optional<ValueId> value{};
  std::optional<Node> node{};
};

Rewrite use(ValueId value) { return {.value = value}; }

// The call with operand 0 and one more argument replaced.
Rewrite call_on(const Site& site, ValueId operand, std::string_view parameter, Argument argument) {
  Node node = site.node;
  node.args[0] = operand;
  node.args[node.op->schema().index_of(parameter)] = std::move(argument);
  return {.node = std::move(node)};
}

Rewrite operand_0(const Site& site) { return use(site.operand(0)); }

template <int value>
Rewrite drop_left(const Site& site) {
  return site.is_number(0, value) ? use(site.operand(1)) : Rewrite();
}
template <int value>
Rewrite drop_right(const Site& site) {
  return site.is_number(1, value) ? use(site.operand(0)) : Rewrite();
}
// For sums, where -0 is the number that changes nothing; integers have only the one zero.
Rewrite drop_zero_term(const Site& site) {
  for (const size_t i : {size_t{0}, size_t{1}}) {
    if (site.is_number(i, -0.0)) return use(site.operand(1 - i));
  }
  return {};
}

Rewrite undo(const Site& site) {
  const Node* inner = site.producer(0);
  return inner != nullptr ? use(operands(*inner)[0]) : Rewrite();
}
Rewrite once(const Site& site) {
  return site.producer(0) != nullptr ? use(site.operand(0)) : Rewrite();
}

Rewrite choose(const Site& site) {
  if (site.operand(1) == site.operand(2)) return use(site.operand(1));
  const auto condition = site.number(0);
  return condition ? use(site.operand(condition->as_boolean() ? 1 : 2)) : Rewrite();
}

Rewrite take_copied(const Site& site) { return use(site.operand(1)); }

Rewrite same_type(const Site& site) { return operand_0(site); }

// There and back through a dtype that holds every value of this one.
Rewrite cast_back(const Site& site) {
  const Node* inner = site.producer(0);
  if (inner == nullptr) return {};
  const DType narrow = site.type.dtype;
  const DType wide = site.type_of(0).dtype;
  const bool is_one_kind = (is_floating(narrow) && is_floating(wide)) || is_boolean(narrow) ||
                           (narrow.kind == wide.kind && is_integer(narrow));
  const bool holds_all = is_one_kind && (wide.bits > narrow.bits || is_boolean(narrow));
  return holds_all ? use(operands(*inner)[0]) : Rewrite();
}

Rewrite merge_shapes(const Site& site) {
  const Node* inner = site.producer(0);
  if (inner == nullptr) return {};
  return call_on(site, operands(*inner)[0], "shape", site.type.shape);
}

Ints wrapped_dims(const Node& node, size_t rank) {
  Ints dims;
  for (const int64_t dim : std::get<Ints>(node.args[node.op->schema().index_of("dims")])) {
    dims.push_back(wrap_dim(dim, static_cast<int64_t>(rank)));
  }
  return dims;
}

Rewrite merge_permutations(const Site& site) {
  const Node* inner = site.producer(0);
  if (inner == nullptr) return {};
  const size_t rank = site.type.shape.size();
  const Ints first = wrapped_dims(*inner, rank);
  Ints both;
  for (const int64_t dim : wrapped_dims(site.node, rank)) {
    both.push_back(first[static_cast<size_t>(dim)]);
  }
  return call_on(site, operands(*inner)[0], "dims", both);
}

Rewrite keep_order(const Site& site) {
  const Ints dims = wrapped_dims(site.node, site.type.shape.size());
  return std::ranges::is_sorted(dims) ? operand_0(site) : Rewrite();
}

Rewrite whole_slice(const Site& site) {
  const auto step = std::get<int64_t>(site.node.args[site.node.op->schema().index_of("step")]);
  return step == 1 ? operand_0(site) : Rewrite();
}

struct Rule {
  std::string_view op;
  std::string_view identity;
  Rewrite (*apply)(const Site&);
};

// One rule a line. A value only takes the place of a call if it has the very type of its result, so
// rules need not look at broadcasting, promotion or devices. Each is in golden/passes/simplify_algebra.
constexpr Rule kRules[] = {
    // matches: rewrite rules name the ops they match
    {"mul", "x * 1 = x", drop_right<1>},
    {"mul", "1 * x = x", drop_left<1>},
    {"div", "x / 1 = x", drop_right<1>},
    {"pow", "x ^ 1 = x", drop_right<1>},
    {"sub", "x - 0 = x", drop_right<0>},
    {"add", "x + -0.0 = x, and x + 0 = x for integers", drop_zero_term},
    {"neg", "-(-x) = x", undo},
    {"abs", "abs(abs(x)) = abs(x)", once},
    {"relu", "relu(relu(x)) = relu(x)", once},
    {"where", "where(true, x, y) = x, where(c, x, x) = x", choose},
    {"cast", "a cast to the dtype it has = x", same_type},
    {"cast", "a cast to a wider dtype and back = x", cast_back},
    {"copy", "the values of y, which already have the type of x = y", take_copied},
    {"clone", "a copy, where nothing writes = x", operand_0},
    {"detach", "where gradients have been taken = x", operand_0},
    {"reshape", "reshape(x, shape of x) = x", operand_0},
    {"reshape", "reshape(reshape(x, s), t) = reshape(x, t)", merge_shapes},
    {"expand", "expand(x, shape of x) = x", operand_0},
    {"expand", "expand(expand(x, s), t) = expand(x, t)", merge_shapes},
    {"permute", "permute(x, dims in order) = x", keep_order},
    {"permute", "permute(permute(x, p), q) = permute(x, p of q)", merge_permutations},
    {"slice", "a slice of everything = x", whole_slice},
};

struct Step {
  ValueId value{};  // -1 if no rule gave one
  bool changed = false;
};

// Applies the first rule that fits: either a value is found, or the node is another.
Step apply_one(const Graph& graph, Node& node, const Type& type) {
  for (const Rule& rule : kRules) {
    if (rule.op != node.op->name()) continue;
    const Rewrite rewrite = rule.apply({graph, node, type});
    if (rewrite.value && is_same(graph[*rewrite.value].type, type)) {
      return {*rewrite.value, true};
    }
    if (rewrite.node) {
      node = *rewrite.node;
      return {{}, true};
    }
  }
  return {};
}

bool has_rule(const Graph& graph, const Node& node, const Type& type) {
  return std::ranges::any_of(kRules, [&](const Rule& rule) {
    if (rule.op != node.op->name()) return false;
    const Rewrite rewrite = rule.apply({graph, node, type});
    return rewrite.node || (rewrite.value && is_same(graph[*rewrite.value].type, type));
  });
}

}  // namespace

Graph simplify_algebra(Graph graph, const PassContext&) {
  if (!is_functional(graph)) return graph;
  const auto can_change = [&](const Node& node) {
    return node.results.size() == 1 && has_rule(graph, node, graph[node.results[0]].type);
  };
  if (std::ranges::none_of(graph.nodes, can_change)) return graph;
  Rewriter rewriter(graph);
  for (Node& node : graph.nodes) {
    Node now = rewriter.taken(node);
    if (node.results.size() != 1) {
      rewriter.add(std::move(now), node.results);
      continue;
    }
    const Type& type = graph[node.results[0]].type;
    Step step{{}, true};
    while (step.changed && step.value.index < 0) step = apply_one(rewriter.graph(), now, type);
    if (step.value.index >= 0) {
      rewriter.map(node.results[0], step.value);
    } else {
      rewriter.add(std::move(now), node.results);
    }
  }
  return rewriter.finish();
}

}  // namespace ridge::graph

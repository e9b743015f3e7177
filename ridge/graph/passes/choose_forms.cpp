#include <algorithm>
#include <functional>
#include <memory>
#include <unordered_map>

#include "ridge/expr/interval.h"
#include "ridge/graph/call_words.h"
#include "ridge/graph/passes/passes.h"
#include "ridge/ops/derived.h"

namespace ridge::graph {
namespace {

using expr::Expr;
using expr::Function;
using expr::Kind;

// Equal calls share it. Nothing for control flow and composite ops, of which nothing is known here.
using Definition = std::shared_ptr<const ops::Definition>;

Definition definition_of(const Graph& graph, const Node& node) {
  const ops::OpRecord* record = node.op->record();
  if (record == nullptr || record->decompose || node.results.size() != 1) return nullptr;
  if (!is_floating(graph[node.results[0]].type.dtype)) return nullptr;
  const BoundArguments bound(node, [&](ValueId id) {
    const Type& type = graph[id].type;
    Tensor meta_tensor = Tensor::empty(type.shape, type.dtype, kMeta);
    meta_tensor.impl().is_weak = type.is_weak;
    return meta_tensor;
  });
  const ops::Call call(node.op->schema(), bound.args());
  return std::make_shared<const ops::Definition>(
      ops::definition_of(*record, call, ops::resolve(*record, call)));
}

bool is_function(const Expr& e, Function f) { return e->kind == Kind::call && e->function == f; }

// Those with a cheaper form where 16 bits are enough.
bool has_inexact_function(const Expr& e) {
  bool found = false;
  expr::walk(e, [&](const Expr& node) {
    for (const Function f : {Function::div, Function::sqrt, Function::exp, Function::sin,
                             Function::cos, Function::tanh, Function::erf}) {
      found |= is_function(node, f);
    }
  });
  return found;
}

bool is_factor(Function f) {
  return f == Function::mul || f == Function::div || f == Function::neg;
}

// Whether an error of any inexact function in it is one of the result, no larger. Not of exp: a sum
// of the same exponentials often has them in full, and they are then at hand.
bool keeps_errors(const Expr& e) {
  const auto is_costly = [](const Expr& arg) {
    bool found = false;
    expr::walk(arg, [&](const Expr& node) {
      found |= node->kind == Kind::call &&
               (node->function == Function::div || expr::info(node->function).instructions >= 10);
    });
    return found;
  };
  if (e->kind == Kind::cast) return keeps_errors(e->args[0]);
  if (e->kind != Kind::call) return true;
  if (is_factor(e->function)) return std::ranges::all_of(e->args, keeps_errors);
  return e->function != Function::exp && std::ranges::none_of(e->args, is_costly);
}

// Errors of its operands do not grow beyond what they are to the result's own operands.
bool is_plain(const Expr& e) {
  if (e->kind == Kind::cast) return e->type == expr::Type::real;
  if (e->kind != Kind::call) return e->kind != Kind::load;
  const Function f = e->function;
  return is_factor(f) || f == Function::add || f == Function::sub || f == Function::fma ||
         f == Function::select;
}

bool is_sum(const Expr& e) {
  return is_function(e, Function::add) || is_function(e, Function::sub) ||
         is_function(e, Function::fma);
}

// Which values somebody needs more of than a cheaper form gives: backwards over the nodes, so that
// readers of a value are known before it.
class Needs {
 public:
  explicit Needs(const Graph& graph) : graph_(graph), is_needed_(graph.values.size()) {
    for (const ValueId id : graph.outputs) need_stored(id);
    for (const Update& update : graph.updates) need_stored(update.value);
  }

  bool operator[](ValueId id) const { return is_needed_[static_cast<size_t>(id.index)]; }
  void need(ValueId id) { is_needed_[static_cast<size_t>(id.index)] = true; }
  void need_all(const Node& node) {
    for (const ValueId id : operands(node)) need(id);
  }
  // Operands that `e` loads by way of nodes that `leads_on` are needed as much as `e` is, here not;
  // all others are.
  void follow(const Node& node, const Expr& e, bool (*leads_on)(const Expr&)) {
    if (e->kind == Kind::load) return;
    if (!leads_on(e)) return need_loads(node, e);
    for (const Expr& arg : e->args) follow(node, arg, leads_on);
  }

 private:
  // Rounding to 16 bits hides what is missing.
  void need_stored(ValueId id) {
    if (!is_16_bit_float(graph_[id].type.dtype)) need(id);
  }
  void need_loads(const Node& node, const Expr& e) {
    const auto given = numbered_operands(node);
    expr::walk(e, [&](const Expr& part) {
      if (part->kind != Kind::load) return;
      if (const auto id = given[static_cast<size_t>(part->index)]) need(*id);
    });
  }

  const Graph& graph_;
  std::vector<bool> is_needed_;
};

class FormChooser {
 public:
  explicit FormChooser(Graph& graph)
      : graph_(graph), of_half_(graph), of_exponent_(graph), definitions_(graph.nodes.size()) {
    std::unordered_map<CallWords, Definition, CallWordsHash> known;
    for (size_t i = 0; i < graph.nodes.size(); ++i) {
      const auto [found, is_new] = known.try_emplace(call_words(graph, graph.nodes[i]));
      if (is_new) found->second = definition_of(graph, graph.nodes[i]);
      definitions_[i] = found->second;
    }
  }

  void run() {
    find_ranges();
    for (size_t i = graph_.nodes.size(); i-- > 0;) choose(i);
  }

 private:
  void choose(size_t index) {
    Node& node = graph_.nodes[index];
    const auto& definition = definitions_[index];
    if (!definition || definition->is_scatter()) {
      of_half_.need_all(node);
      of_exponent_.need_all(node);
      if (!node.forms) node.forms = FunctionForms{};
      return;
    }
    const ValueId result = node.results[0];
    const bool is_short = is_16_bit_float(graph_[result].type.dtype);
    const Expr& e = definition->value;
    const bool is_map = definition->reducer == ops::Reducer::none;
    if (!node.forms) {
      node.forms =
          FunctionForms{.precision = precision(node, e, is_short), .is_near = is_near(node, e)};
    }
    if (is_map && (is_short || !of_half_[result])) {
      of_half_.follow(node, e, leads_to_half);
    } else {
      of_half_.need_all(node);
    }
    const bool is_term = definition->reducer == ops::Reducer::sum;
    if (is_term || (is_map && (is_short || !of_exponent_[result]))) {
      of_exponent_.follow(node, e, is_plain);
    } else {
      of_exponent_.need_all(node);
    }
  }

  Precision precision(const Node& node, const Expr& e, bool is_short) const {
    const ValueId result = node.results[0];
    if (graph_[result].type.dtype == f64 || !has_inexact_function(e)) return Precision::full;
    if (is_short || (!of_half_[result] && keeps_errors(e))) return Precision::half;
    return !of_exponent_[result] && has_rounded_exponents(node, e) ? Precision::exponent
                                                                   : Precision::full;
  }

  static bool leads_to_half(const Expr& e) {
    return e->kind == Kind::cast || (e->kind == Kind::call && is_factor(e->function));
  }

  // Is there an exponential, and is the argument of each the rounded result of a sum?
  bool has_rounded_exponents(const Node& node, const Expr& e) const {
    bool is_any = false, are_all = true;
    expr::walk(e, [&](const Expr& part) {
      if (!is_function(part, Function::exp)) return;
      is_any = true;
      const Expr& x = part->args[0];
      are_all &= is_sum(x) || (x->kind == Kind::load && is_rounded_sum(node, x));
    });
    return is_any && are_all;
  }
  bool is_rounded_sum(const Node& node, const Expr& load) const {
    const auto id = numbered_operands(node)[static_cast<size_t>(load->index)];
    if (!id || graph_[*id].type.dtype != f32 || graph_[*id].node < 0) return false;
    const auto maker = static_cast<size_t>(graph_[*id].node);
    const auto& definition = definitions_[maker];
    if (!definition || definition->is_scatter()) return false;
    if (definition->reducer != ops::Reducer::none) return false;
    const Expr& value = definition->value;
    return is_sum(value) ||
           (value->kind == Kind::load && is_rounded_sum(graph_.nodes[maker], value));
  }

  // By value, of the graph as a whole: a kernel that loads a value knows nothing of it.
  void find_ranges() {
    ranges_.resize(graph_.values.size());
    for (size_t i = 0; i < graph_.nodes.size(); ++i) {
      const auto& definition = definitions_[i];
      if (!definition || definition->is_scatter()) continue;
      if (definition->reducer != ops::Reducer::none) continue;
      const Node& node = graph_.nodes[i];
      ranges_[static_cast<size_t>(node.results[0].index)] = range_of(node, definition->value);
    }
  }
  expr::RealRange range_of(const Node& node, const Expr& e) const {
    if (e->kind == Kind::load) {
      const auto id = numbered_operands(node)[static_cast<size_t>(e->index)];
      return id ? ranges_[static_cast<size_t>(id->index)] : expr::RealRange{};
    }
    if (e->kind == Kind::constant && e->type == expr::Type::real) return {e->real, e->real};
    if (e->kind != Kind::call || e->type != expr::Type::real) return {};
    std::vector<expr::RealRange> arguments;
    for (const Expr& arg : e->args) arguments.push_back(range_of(node, arg));
    return expr::range_of_call(e->function, arguments);
  }
  bool is_near(const Node& node, const Expr& e) const {
    bool is_any = false, are_all = true;
    expr::walk(e, [&](const Expr& part) {
      if (!is_function(part, Function::sin) && !is_function(part, Function::cos)) return;
      is_any = true;
      are_all &= range_of(node, part->args[0]).is_within(1);
    });
    return is_any && are_all && graph_[node.results[0]].type.dtype != f64;
  }

  Graph& graph_;
  Needs of_half_, of_exponent_;
  std::vector<Definition> definitions_;  // by node
  std::vector<expr::RealRange> ranges_;  // by value
};

}  // namespace

FunctionForms forms_of_single_op(DType dtype, const Expr& definition) {
  const bool is_half = is_16_bit_float(dtype) && has_inexact_function(definition);
  return {.precision = is_half ? Precision::half : Precision::full};
}

Graph choose_forms(Graph graph, const PassContext&) {
  const auto is_chosen = [](const Node& node) { return node.forms.has_value(); };
  if (!is_functional(graph) || std::ranges::all_of(graph.nodes, is_chosen)) return graph;
  FormChooser(graph).run();
  return graph;
}

}  // namespace ridge::graph

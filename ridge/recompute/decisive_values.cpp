#include <algorithm>
#include <iterator>
#include <memory>
#include <set>

#include "ridge/recompute/recompute_costs.h"

namespace ridge::recompute {
namespace {

using expr::Expr;
using expr::Function;
using expr::Kind;
using graph::ValueId;
using schedule::NodeDefinition;

bool is_step(Function function) {
  switch (function) {
    case Function::equal:
    case Function::not_equal:
    case Function::less:
    case Function::less_equal:
    case Function::sign:
    case Function::floor:
    case Function::ceil:
    case Function::round:
    case Function::trunc:
    case Function::floor_div:
    case Function::mod: return true;
    default: return false;
  }
}

// Does the value jump where one of its real operands changes a little?
bool has_step(const NodeDefinition& node_definition) {
  const ops::Definition& definition = node_definition.definition;
  bool found = definition.reducer == ops::Reducer::argmax ||
               definition.reducer == ops::Reducer::argmin ||
               (is_floating(node_definition.compute.empty() ? node_definition.dtype
                                                            : node_definition.compute[0]) &&
                !is_floating(node_definition.dtype) && definition.value->kind == Kind::load);
  expr::walk(definition.value, [&](const Expr& e) {
    const bool is_of_real = !e->args.empty() && e->args[0]->type == expr::Type::real;
    found |= is_of_real && e->kind == Kind::cast && e->type != expr::Type::real;
    found |= is_of_real && e->kind == Kind::call && is_step(e->function);
  });
  return found;
}

// Does it add up reals, in an order that is its kernel's?
bool has_own_order(const NodeDefinition& node_definition) {
  const ops::Reducer reducer = node_definition.definition.reducer;
  return is_floating(node_definition.dtype) &&
         (reducer == ops::Reducer::sum || reducer == ops::Reducer::prod);
}

class DecisiveFinder {
 public:
  DecisiveFinder(const schedule::InlinedGraph& program, const std::vector<bool>& is_backward)
      : program_(program),
        graph_(program.graph()),
        is_backward_(is_backward),
        sums_(graph_.values.size()) {}

  std::vector<ValueId> run() {
    for (size_t i = 0; i < graph_.nodes.size(); ++i) visit(static_cast<int32_t>(i));
    std::vector<ValueId> result;
    for (const int32_t value : pinned_) result.push_back({value});
    return result;
  }

 private:
  // Values, in ascending order; null for none. Most nodes follow from the sums of one operand, and share
  // its list: along a residual stream it has those of all layers so far.
  using Sums = std::shared_ptr<const std::vector<int32_t>>;

  static Sums joined(const Sums& a, const Sums& b) {
    if (a == nullptr || a == b) return b;
    if (b == nullptr) return a;
    std::vector<int32_t> both;
    std::ranges::set_union(*a, *b, std::back_inserter(both));
    return std::make_shared<const std::vector<int32_t>>(std::move(both));
  }

  void visit(int32_t node) {
    const NodeDefinition& node_definition = program_.node_definition(node);
    const ValueId result = program_.result(node);
    Sums& own = sums_[static_cast<size_t>(result.index)];
    const bool is_forward = !is_backward_[static_cast<size_t>(node)];
    if (has_own_order(node_definition)) {
      if (is_forward) own = std::make_shared<const std::vector<int32_t>>(1, result.index);
      return;
    }
    for (const ValueId id : node_definition.operands) {
      if (id.index < 0) continue;
      own = joined(own, sums_[static_cast<size_t>(id.index)]);
    }
    if (own == nullptr || !has_step(node_definition)) return;
    if (is_forward) {
      pin_step(result, *own);
      own = nullptr;
    } else {
      pin_shared(node_definition);
    }
  }

  // A forward step may be computed again with the sums it decides by; one of both is kept.
  void pin_step(ValueId step, const std::vector<int32_t>& sums) {
    int64_t bytes = 0;
    for (const int32_t sum : sums) bytes += bytes_of({sum});
    if (bytes_of(step) <= bytes) {
      pinned_.insert(step.index);
    } else {
      pinned_.insert(sums.begin(), sums.end());
    }
  }
  // A step of the gradient that compares two values of one sum must not see one of them with the
  // forward half's bits and the other with its own.
  void pin_shared(const NodeDefinition& node_definition) {
    for (size_t i = 0; i < node_definition.operands.size(); ++i) {
      for (size_t j = 0; j < i; ++j) {
        const ValueId a = node_definition.operands[i], b = node_definition.operands[j];
        if (a.index < 0 || b.index < 0 || a == b) continue;
        const Sums &of_a = sums_[static_cast<size_t>(a.index)],
                   &of_b = sums_[static_cast<size_t>(b.index)];
        if (of_a == nullptr || of_b == nullptr) continue;
        std::ranges::set_intersection(*of_a, *of_b, std::inserter(pinned_, pinned_.end()));
      }
    }
  }
  int64_t bytes_of(ValueId id) const {
    const graph::Type& type = graph_[id].type;
    return (numel(type.shape).hint_or(1) * type.dtype.bits + 7) / 8;
  }

  const schedule::InlinedGraph& program_;
  const graph::Graph& graph_;
  const std::vector<bool>& is_backward_;
  std::vector<Sums> sums_;  // by value: those it follows from without another sum between
  std::set<int32_t> pinned_;
};

}  // namespace

std::vector<ValueId> decisive_values(const schedule::InlinedGraph& program,
                                     const std::vector<bool>& is_backward) {
  return DecisiveFinder(program, is_backward).run();
}

}  // namespace ridge::recompute

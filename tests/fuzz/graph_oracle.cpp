#include "tests/fuzz/graph_oracle.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "ridge/dispatch/call.h"
#include "ridge/graph/pass.h"
#include "ridge/ops/arithmetic.h"
#include "ridge/ops/record.h"
#include "ridge/ops/unary.h"
#include "ridge/schedule/node_definition.h"
#include "tests/fuzz/body_runs.h"
#include "tests/fuzz/decisions.h"

namespace ridge::fuzz {

using graph::Graph;
using graph::Node;
using graph::ValueId;
using Tensors = std::vector<Tensor>;

namespace {

// Is an outcome farther from what is right than another one? What an operand's own run turned must
// not be lost to an outcome that turned nothing.
bool is_farther(double outcome, double other, double right) {
  if (std::isnan(outcome)) return !std::isnan(right);
  if (std::isnan(other) && !std::isnan(right)) return false;
  return outcome != right && !(std::abs(outcome - right) <= std::abs(other - right));
}

// How many different elements there are, counted up to `most`.
double distinct_elements(const Tensor& tensor, double most) {
  std::unordered_set<double> elements;
  for (const double x : tensor.to_vector<double>()) {
    if (!std::isnan(x)) elements.insert(x);
    if (static_cast<double>(elements.size()) >= most) break;
  }
  return static_cast<double>(elements.size());
}

}  // namespace

Graph oracle_form(const Graph& graph) {
  graph::PassContext context;
  // matches: the passes that the oracle needs, of those the pipeline runs
  const graph::Pass passes[] = {graph::find_pass("functionalize"), graph::find_pass("decompose")};
  return graph::run_passes(graph, passes, context);
}

GraphOracle::GraphOracle(const Graph& graph, std::span<const Tracked> inputs, SplitMix64& random)
    : graph_(graph),
      random_(random),
      values_(graph.values.size()),
      is_derived_(graph.values.size()),
      as_read_(graph.values.size()) {
  for (size_t i = 0; i < inputs.size(); ++i) at(graph.inputs[i]) = inputs[i];
  for (size_t i = 0; i < graph.values.size(); ++i) {
    if (graph.values[i].constant.defined()) values_[i] = exactly(graph.values[i].constant);
  }
  for (const Node& node : graph_.nodes) {
    if (graph::is_control(node)) {
      evaluate_control(node);
    } else {
      evaluate(node);
    }
  }
}

namespace {

bool accepts_reals(const Node& node) {
  const ops::OpRecord* record = node.op->record();
  return record == nullptr || !record->dtype || ops::accepts(record->dtype.accepts[0], f64);
}

}  // namespace

// The node on the given operands, everything floating as f64.
Tensors GraphOracle::call(const Node& node, const Tensors& operands) const {
  Node wide = node;
  for (graph::Argument& arg : wide.args) {
    if (auto* dtype = std::get_if<DType>(&arg); dtype != nullptr && is_floating(*dtype)) {
      *dtype = f64;
    }
  }
  const bool gives_real = is_floating(graph_[node.results[0]].type.dtype);
  bool takes_real = false;
  for (const Tensor& operand : operands) takes_real |= is_floating(operand.dtype());
  size_t next = 0;
  const graph::BoundArguments bound(wide, [&](ValueId) {
    const Tensor& tensor = operands[next++];
    // Integers become the default float inside such an op: with f64 there is nothing to round. Bytes of blocks
    // stay what they are.
    const bool becomes_real = gives_real && !takes_real && accepts_reals(node);
    return becomes_real ? cast(tensor, f64) : tensor;
  });
  Tensors results = dispatch::call_values(*node.op, bound.args());
  for (Tensor& result : results) result = widened_to_f64(result);
  return results;
}

void GraphOracle::evaluate(const Node& node) {
  read_dtypes_ = read_dtypes(graph_, node);
  const Tensors right =
      call(node, operands(node, [&](ValueId id, size_t) { return at(id).value; }));
  bool is_exact = true, is_lost = false;
  const graph::ValueIds ids = graph::operands(node);
  for (size_t i = 0; i < ids.size(); ++i) {
    const Tracked& operand = at(ids[i]);
    is_exact &= operand.is_exact && !is_rounded(operand, i);
    is_lost |= operand.is_lost;
  }
  const bool is_given_exact = is_exact;
  for (size_t i = 0; i < right.size(); ++i) {
    Tracked& tracked = at(node.results[i]);
    tracked.dtype = graph_[node.results[i]].type.dtype;
    tracked.value = right[i];
    tracked.is_lost = is_lost;
    if (!is_floating(tracked.dtype)) continue;
    if (overflows(right[i], tracked.dtype)) throw NotJudgeable();
    // The oracle rounds to f64 itself: only what has digits to spare shows that nothing was lost.
    const bool may_have_rounded = is_exact && tracked.dtype == f64 && !keeps_bits(node);
    const DType held = may_have_rounded ? f32 : tracked.dtype;
    is_exact = is_exact && is_representable(right[i], held) && is_one_rounding(node, right[i]) &&
               !divides_by_zero(node, right[i]);
  }
  for (const ValueId id : node.results) at(id).is_exact = is_exact;
  if (is_exact || is_lost) return;
  const bool is_derived = !is_given_exact && keeps_bits(node);
  for (const ValueId id : node.results) is_derived_[static_cast<size_t>(id.index)] = is_derived;
  try {
    run_moved(node);
    if (is_given_exact || !decides(node)) return;
    // What is equal may differ in every run that moves it: one run decides as the right values do.
    for (size_t i = 0; i < right.size(); ++i) {
      Tracked& tracked = at(node.results[i]);
      if (!is_floating(tracked.dtype)) tracked.runs.back() = right[i];
    }
    if (is_derived && shares_sources(node)) {
      take_outcomes_of_sources(node);
    } else {
      take_other_outcomes(node);
    }
  } catch (const Error&) {
    // A position that a run moved out of range, say.
    for (const ValueId id : node.results) at(id).is_lost = true;
  }
}

// Is an operand rounded where it is read, because another one has a narrower dtype?
bool GraphOracle::is_rounded(const Tracked& tracked, size_t operand) const {
  const DType read = read_dtypes_[operand];
  return is_floating(read) && read != tracked.dtype && !is_representable(tracked.value, read);
}

// Infinite by the sign of a zero, which no sum decides.
bool GraphOracle::divides_by_zero(const Node& node, const Tensor& result) {
  if (keeps_bits(node)) return false;
  const auto is_finite = [](const Tensor& tensor) {
    return std::ranges::all_of(tensor.to_vector<double>(), [](double x) { return !std::isinf(x); });
  };
  const Tensors given = operands(node, [&](ValueId id, size_t) { return at(id).value; });
  return !is_finite(result) && std::ranges::all_of(given, is_finite);
}

// A sum may come out short although its parts did not; then it has rounded on the way. So may what a body
// ends with: 1 + erf(x) of a small sum has few digits left.
bool GraphOracle::is_one_rounding(const Node& node, const Tensor& result) {
  const ops::OpRecord* record = node.op->record();
  if (record != nullptr && has(record->traits, ops::Trait::Pointwise)) {
    return !has_inexact_body(*node.op);
  }
  const Tensors given = operands(node, [&](ValueId id, size_t) { return at(id).value; });
  return std::all_of(given.begin(), given.end(), is_coarse) || is_moved_from(result, given);
}

void GraphOracle::run_moved(const Node& node) {
  const Tracked& result = at(node.results[0]);
  const bool is_derived = is_derived_[static_cast<size_t>(node.results[0].index)];
  for (size_t k = 0; k < kRuns; ++k) {
    const Tensors given = operands(node, [&](ValueId id, size_t i) {
      return is_derived ? as_read(id, k) : moved(at(id).run(k), read_dtypes_[i], random_);
    });
    const Tensors results =
        has_long_body(*node.op) && !is_derived
            ? Tensors{fuzz::run_body(node, result.value.shape(), result.dtype, given, random_)}
            : call(node, given);
    for (size_t i = 0; i < results.size(); ++i) at(node.results[i]).runs[k] = results[i];
  }
  add_errors_of_long_sum(node);
}

// Each partial sum of a reduction is rounded, whatever the order. The roundings of n different terms
// are a random walk: the last partial sum is off by about sqrt(n) / 6 of them, and judged to five times
// as much. Few different terms need nothing more: the moved operands and the roundings of the result
// itself are as much.
//
// Terms that repeat may all round one way. They are judged to n / 2 roundings, the most there can be.
// One term that is left out of thousands is then not found here, but by graphs of random data.
void GraphOracle::add_errors_of_long_sum(const Node& node) {
  constexpr double kFewTerms = 64, kManyTerms = 4096;
  // Six runs, each off by up to a share, are judged to about so many times that share.
  constexpr double kJudgedShares = 15;
  Tracked& result = at(node.results[0]);
  if (!is_floating(result.dtype) || is_derived_[static_cast<size_t>(node.results[0].index)]) return;
  const schedule::NodeDefinition node_definition = schedule::define_node(graph_, node);
  const ops::Definition& d = node_definition.definition;
  if (d.reducer != ops::Reducer::sum && d.reducer != ops::Reducer::prod) return;
  const auto outputs = static_cast<double>(elements_of(result.value.shape()));
  const double terms =
      static_cast<double>(known(node_definition.points())) / std::max(outputs, 1.0);
  if (terms <= kFewTerms) return;
  double distinct = 0;
  for (const ValueId id : graph::operands(node))
    distinct = std::max(distinct, distinct_elements(at(id).value, terms));
  const bool is_repeating = distinct < 0.75 * terms;
  if (!is_repeating && terms <= kManyTerms) return;
  const double roundings = is_repeating ? terms / 2 : std::sqrt(terms) * 5 / 6;
  const Tensors sums =
      call(node, operands(node, [&](ValueId id, size_t) { return abs(at(id).value); }));
  const std::vector<double> sizes = sums[0].to_vector<double>();
  const double share = roundings / kJudgedShares * epsilon(result.dtype == f64 ? f64 : f32);
  for (Tensor& run : result.runs) {
    std::vector<double> values = run.to_vector<double>();
    for (size_t i = 0; i < values.size(); ++i)
      values[i] += share * sizes[i] * random_.uniform(-1, 1);
    run = of_doubles(values, run.shape());
  }
}

// Can a small change of an operand change the result by a step?
bool GraphOracle::decides(const Node& node) const {
  for (const ValueId id : node.results) {
    if (!is_floating(graph_[id].type.dtype)) return true;
  }
  bool found = false;
  for (const expr::Expr& e : bodies_of(node)) {
    expr::walk(e, [&](const expr::Expr& part) {
      found |= part->kind == expr::Kind::call && is_step(part->function);
      found |= part->kind == expr::Kind::cast && part->type != expr::Type::real;
    });
  }
  return found;
}

void GraphOracle::take_other_outcomes(const Node& node) {
  std::vector<Uncertain> uncertain;
  for (const ValueId id : graph::operands(node)) {
    const Tracked& tracked = at(id);
    const DType read = read_dtypes_[uncertain.size()];
    uncertain.push_back({tracked.value, {}});
    if (is_floating(tracked.dtype)) uncertain.back().ends = tolerances_when_read(tracked, read);
  }
  const auto all = extremes(uncertain, at(node.results[0]).value.shape(), random_);
  // And exactly on a step, as only a value is that was rounded to its dtype: remainder(x, 1.875) of 3.7499.
  const Tensors rounded = operands(node, [&](ValueId id, size_t i) {
    const Tensor& value = at(id).value;
    return is_floating(at(id).dtype) ? widened_to_f64(cast(value, read_dtypes_[i])) : value;
  });
  take(call(node, rounded), node, 0);
  // Half of the runs, so that the right outcome is among them too.
  for (size_t i = 0; i < all.size(); ++i) take(call(node, all[i]), node, i % (kRuns / 2));
}

void GraphOracle::take(const Tensors& outcomes, const Node& node, size_t run_number) {
  for (size_t r = 0; r < outcomes.size(); ++r) {
    Tracked& tracked = at(node.results[r]);
    Tensor& run = tracked.runs[run_number];
    const std::vector<double> right = tracked.value.to_vector<double>();
    const std::vector<double> other = outcomes[r].to_vector<double>();
    std::vector<double> taken = run.to_vector<double>();
    for (size_t i = 0; i < right.size(); ++i) {
      if (is_farther(other[i], taken[i], right[i])) taken[i] = other[i];
    }
    run = cast(of_doubles(taken, tracked.value.shape()), tracked.value.dtype());
  }
}

}  // namespace ridge::fuzz

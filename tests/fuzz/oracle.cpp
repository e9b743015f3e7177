#include "tests/fuzz/oracle.h"

#include <algorithm>
#include <cmath>

#include "ridge/base/text.h"
#include "ridge/dispatch/call.h"
#include "ridge/graph/pass.h"
#include "ridge/ops/arithmetic.h"
#include "ridge/ops/record.h"
#include "ridge/ops/view.h"
#include "ridge/reference/reference.h"
#include "tests/fuzz/body_runs.h"
#include "tests/fuzz/decisions.h"
#include "tests/fuzz/tracked_value.h"

namespace ridge::fuzz {
namespace {

using dispatch::Tensors;
using graph::Graph;
using graph::Node;
using graph::ValueId;

class Oracle {
 public:
  Oracle(const Graph& graph, std::span<const Tensor> inputs, uint64_t seed)
      : graph_(graph), random_(seed), values_(graph.values.size()) {
    for (size_t i = 0; i < inputs.size(); ++i) at(graph.inputs[i]) = given(inputs[i]);
    for (size_t i = 0; i < graph.values.size(); ++i) {
      if (graph.values[i].constant.defined()) values_[i] = given(graph.values[i].constant);
    }
  }

  void run() {
    for (const Node& node : graph_.nodes) evaluate(node);
  }

  Expected expected(ValueId id) {
    const Tracked& tracked = at(id);
    return {tracked.dtype, tracked.value.shape(), tracked.value.to_vector<double>(),
            tolerances(tracked)};
  }

 private:
  Tracked& at(ValueId id) { return values_[static_cast<size_t>(id.index)]; }

  static Tracked given(const Tensor& tensor) {
    Tracked tracked;
    tracked.dtype = tensor.dtype();
    tracked.value = widened_to_f64(tensor);
    return tracked;
  }

  // A plain number too, lest it give way to the default float.
  static Tensor widened_to_f64(const Tensor& tensor) {
    const bool is_wide = tensor.dtype() == f64 && !tensor.is_weak();
    if (!is_floating(tensor.dtype()) || is_wide) return tensor;
    return of_doubles(tensor.to_vector<double>(), tensor.shape());
  }

  // The node on the given operands, everything floating as f64.
  Tensors call(const Node& node, const Tensors& operands) const {
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
      // Integers become the default float inside such an op: with f64 there is nothing to round.
      return gives_real && !takes_real ? cast(tensor, f64) : tensor;
    });
    Tensors results = dispatch::call_values(*node.op, bound.args());
    for (Tensor& result : results) result = widened_to_f64(result);
    return results;
  }

  template <class Make>
  Tensors operands(const Node& node, Make make) {
    Tensors result;
    for (const ValueId id : graph::operands(node)) result.push_back(make(at(id), result.size()));
    return result;
  }

  void evaluate(const Node& node) {
    read_dtypes_ = read_dtypes(graph_, node);
    const Tensors right =
        call(node, operands(node, [](const Tracked& t, size_t) { return t.value; }));
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
      is_exact =
          is_exact && is_representable(right[i], tracked.dtype) && is_one_rounding(node, right[i]);
    }
    for (const ValueId id : node.results) at(id).is_exact = is_exact;
    if (is_exact || is_lost) return;
    try {
      run_moved(node);
      if (!is_given_exact && decides(node)) take_other_outcomes(node);
    } catch (const Error&) {
      // A position that a run moved out of range, say.
      for (const ValueId id : node.results) at(id).is_lost = true;
    }
  }

  // Is an operand rounded where it is read, because another one has a narrower dtype?
  bool is_rounded(const Tracked& tracked, size_t operand) const {
    const DType read = read_dtypes_[operand];
    return is_floating(read) && read != tracked.dtype && !is_representable(tracked.value, read);
  }

  // A sum may come out short although its parts did not; then it has rounded on the way.
  bool is_one_rounding(const Node& node, const Tensor& result) {
    const ops::OpRecord* record = node.op->record();
    if (record != nullptr && has(record->traits, ops::Trait::Pointwise)) return true;
    const Tensors given = operands(node, [](const Tracked& t, size_t) { return t.value; });
    return std::all_of(given.begin(), given.end(), is_coarse) || is_moved_from(result, given);
  }

  void run_moved(const Node& node) {
    for (size_t k = 0; k < kRuns; ++k) {
      const Tensors given = operands(node, [&](const Tracked& tracked, size_t i) {
        return moved(tracked.run(k), read_dtypes_[i], random_);
      });
      const Tracked& result = at(node.results[0]);
      const Tensors results =
          has_long_body(node)
              ? Tensors{run_body(node, result.value.shape(), result.dtype, given, random_)}
              : call(node, given);
      for (size_t i = 0; i < results.size(); ++i) at(node.results[i]).runs[k] = results[i];
    }
  }

  // Can a small change of an operand change the result by a step?
  bool decides(const Node& node) const {
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

  void take_other_outcomes(const Node& node) {
    std::vector<Uncertain> uncertain;
    for (const ValueId id : graph::operands(node)) {
      const Tracked& tracked = at(id);
      const DType read = read_dtypes_[uncertain.size()];
      uncertain.push_back({tracked.value, {}});
      if (is_floating(tracked.dtype)) uncertain.back().ends = tolerances_when_read(tracked, read);
    }
    const Shape& shape = at(node.results[0]).value.shape();
    const auto all = extremes(uncertain, shape, random_);
    for (size_t which = 0; which < all.size(); ++which) {
      const Tensors results = call(node, all[which]);
      for (size_t i = 0; i < results.size(); ++i) {
        // Half of the runs, so that the right outcome is among them too.
        take(results[i], at(node.results[i]), which % (kRuns / 2));
      }
    }
  }

  static void take(const Tensor& outcome, Tracked& tracked, size_t run) {
    const std::vector<double> right = tracked.value.to_vector<double>();
    const std::vector<double> other = outcome.to_vector<double>();
    std::vector<double> taken = tracked.runs[run].to_vector<double>();
    for (size_t i = 0; i < right.size(); ++i) {
      if (other[i] != right[i]) taken[i] = other[i];
    }
    tracked.runs[run] = cast(of_doubles(taken, tracked.value.shape()), tracked.value.dtype());
  }

  const Graph& graph_;
  SplitMix64 random_;
  std::vector<Tracked> values_;
  std::vector<DType> read_dtypes_{};  // of the operands of the node being evaluated
};

}  // namespace

Expectation expect(const Case& given) {
  const reference::UseReference by_reference;
  graph::PassContext context;
  // matches: the passes that the oracle needs, of those the pipeline runs
  const graph::Pass passes[] = {graph::find_pass("functionalize"), graph::find_pass("decompose")};
  const Graph graph = graph::run_passes(given.graph, passes, context);
  Oracle oracle(graph, make_inputs(given), given.data_seed);
  oracle.run();
  Expectation result;
  for (const ValueId id : graph.outputs) result.outputs.push_back(oracle.expected(id));
  for (const ValueId id : graph.inputs) {
    ValueId last = id;
    for (const graph::Update& update : graph.updates) {
      if (update.input == id) last = update.value;
    }
    result.inputs.push_back(oracle.expected(last));
  }
  return result;
}

std::string compare(const Expected& expected, const Tensor& actual, JudgedCounts& counts) {
  const std::string is = concat(name(actual.dtype()), to_text(actual.shape()));
  const std::string should_be = concat(name(expected.dtype), to_text(expected.shape));
  if (is != should_be) return concat(is, " instead of ", should_be);
  const std::vector<double> values = actual.to_vector<double>();
  for (size_t i = 0; i < values.size(); ++i) {
    ++counts.elements;
    const double right = expected.values[i], tolerance = expected.tolerances[i];
    if (std::isinf(tolerance)) {
      ++counts.not_judged;
      continue;
    }
    const bool is_right = std::isnan(right)   ? std::isnan(values[i])
                          : std::isinf(right) ? values[i] == right
                                              : std::abs(values[i] - right) <= tolerance;
    if (!is_right) {
      return concat("element ", i, " of ", is, " is ", values[i], " instead of ", right, " +- ",
                    tolerance);
    }
  }
  return {};
}

}  // namespace ridge::fuzz

#include "tests/fuzz/oracle.h"

#include <cmath>
#include <limits>

#include "ridge/base/text.h"
#include "ridge/dispatch/call.h"
#include "ridge/graph/pass.h"
#include "ridge/ops/arithmetic.h"
#include "ridge/ops/record.h"
#include "ridge/ops/view.h"
#include "ridge/reference/reference.h"
#include "tests/fuzz/body_runs.h"
#include "tests/fuzz/tracked_value.h"

namespace ridge::fuzz {
namespace {

using dispatch::Tensors;
using graph::Graph;
using graph::Node;
using graph::ValueId;

// Runs of a decision with every operand at the end of its tolerance.
constexpr size_t kExtremes = 6;

bool is_step(expr::Function function) {
  switch (function) {
    case expr::Function::floor:
    case expr::Function::ceil:
    case expr::Function::round:
    case expr::Function::trunc:
    case expr::Function::sign:
    case expr::Function::floor_div:
    case expr::Function::mod: return true;
    case expr::Function::neg:
    case expr::Function::add:
    case expr::Function::sub:
    case expr::Function::mul:
    case expr::Function::div:
    case expr::Function::pow:
    case expr::Function::min:
    case expr::Function::max:
    case expr::Function::abs:
    case expr::Function::equal:
    case expr::Function::not_equal:
    case expr::Function::less:
    case expr::Function::less_equal:
    case expr::Function::logical_and:
    case expr::Function::logical_or:
    case expr::Function::logical_xor:
    case expr::Function::logical_not:
    case expr::Function::is_nan:
    case expr::Function::select:
    case expr::Function::exp:
    case expr::Function::log:
    case expr::Function::sqrt:
    case expr::Function::rsqrt:
    case expr::Function::sin:
    case expr::Function::cos:
    case expr::Function::tanh:
    case expr::Function::erf:
    case expr::Function::checked_index:
    case expr::Function::philox: return false;
  }
  return false;
}

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
  using Operand = std::function<Tensor(ValueId)>;

  Tracked& at(ValueId id) { return values_[static_cast<size_t>(id.index)]; }

  static Tracked given(const Tensor& tensor) {
    Tracked tracked;
    tracked.dtype = tensor.dtype();
    tracked.value = widened_to_f64(tensor);
    return tracked;
  }

  // A plain number is f64 already, and must stay weak.
  static Tensor widened_to_f64(const Tensor& tensor) {
    return is_floating(tensor.dtype()) && tensor.dtype() != f64 ? cast(tensor, f64) : tensor;
  }

  // The node on the given operands, everything floating as f64.
  Tensors call(const Node& node, const Operand& operand) const {
    Node wide = node;
    for (graph::Argument& arg : wide.args) {
      if (auto* dtype = std::get_if<DType>(&arg); dtype != nullptr && is_floating(*dtype)) {
        *dtype = f64;
      }
    }
    const bool gives_real = is_floating(graph_[node.results[0]].type.dtype);
    bool takes_real = false;
    for (const ValueId id : graph::operands(node)) {
      takes_real |= is_floating(graph_[id].type.dtype);
    }
    const graph::BoundArguments bound(wide, [&](ValueId id) {
      const Tensor tensor = operand(id);
      // Integers become the default float inside such an op: with f64 there is nothing to round.
      return gives_real && !takes_real ? cast(tensor, f64) : tensor;
    });
    Tensors results = dispatch::call_values(*node.op, bound.args());
    for (Tensor& result : results) result = widened_to_f64(result);
    return results;
  }

  void evaluate(const Node& node) {
    const Tensors right = call(node, [&](ValueId id) { return at(id).value; });
    bool is_exact = true, is_lost = false;
    for (const ValueId id : graph::operands(node)) {
      is_exact &= at(id).is_exact;
      is_lost |= at(id).is_lost;
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

  // A sum may come out short although its parts did not; then it has rounded on the way.
  bool is_one_rounding(const Node& node, const Tensor& result) {
    const ops::OpRecord* record = node.op->record();
    if (record != nullptr && has(record->traits, ops::Trait::Pointwise)) return true;
    Tensors operands;
    bool are_coarse = true;
    for (const ValueId id : graph::operands(node)) {
      operands.push_back(at(id).value);
      are_coarse &= is_coarse(at(id).value);
    }
    return are_coarse || is_moved_from(result, operands);
  }

  void run_moved(const Node& node) {
    for (size_t k = 0; k < kRuns; ++k) {
      const Operand operand = [&](ValueId id) {
        return moved(at(id).run(k), at(id).dtype, random_);
      };
      const Tensors results = has_long_body(node)
                                  ? Tensors{run_body(node, at(node.results[0]).value.shape(),
                                                     at(node.results[0]).dtype, operand, random_)}
                                  : call(node, operand);
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

  // Operands at the ends of their tolerances: alternately up and down, then by chance.
  Tensor extreme(const Tracked& tracked, size_t which, size_t operand) {
    if (tracked.is_exact || !is_floating(tracked.dtype)) return tracked.value;
    std::vector<double> values = tracked.value.to_vector<double>();
    const std::vector<double> ends = tolerances(tracked);
    for (size_t i = 0; i < values.size(); ++i) {
      const bool is_up = which < 2 ? (which + operand) % 2 == 0 : random_.integer(0, 1) == 0;
      if (std::isfinite(values[i])) values[i] += is_up ? ends[i] : -ends[i];
    }
    return of_doubles(values, tracked.value.shape());
  }

  void take_other_outcomes(const Node& node) {
    for (size_t which = 0; which < kExtremes; ++which) {
      size_t operand = 0;
      const Tensors results =
          call(node, [&](ValueId id) { return extreme(at(id), which, operand++); });
      for (size_t i = 0; i < results.size(); ++i) {
        Tracked& tracked = at(node.results[i]);
        const std::vector<double> right = tracked.value.to_vector<double>();
        const std::vector<double> other = results[i].to_vector<double>();
        // Half of the runs, so that the right outcome is among them too.
        Tensor& run = tracked.runs[which % (kRuns / 2)];
        std::vector<double> taken = run.to_vector<double>();
        for (size_t j = 0; j < right.size(); ++j) {
          if (other[j] != right[j]) taken[j] = other[j];
        }
        run = cast(of_doubles(taken, tracked.value.shape()), tracked.value.dtype());
      }
    }
  }

  const Graph& graph_;
  SplitMix64 random_;
  std::vector<Tracked> values_;
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

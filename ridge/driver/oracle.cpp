#include "ridge/driver/oracle.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ridge/base/random.h"
#include "ridge/base/text.h"
#include "ridge/dispatch/call.h"
#include "ridge/dispatch/thread_state.h"
#include "ridge/graph/control.h"
#include "ridge/graph/passes/decompose.h"
#include "ridge/ops/arithmetic.h"
#include "ridge/ops/record.h"
#include "ridge/reference/reference.h"
#include "ridge/schedule/meaning.h"

namespace ridge::driver {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool is_float(const graph::Type& type) { return is_floating(type.dtype); }

double largest_value(const graph::Graph& graph) {
  int64_t most = 1;
  for (const graph::Value& value : graph.values) {
    most = std::max(most, numel(value.type.shape).known().value_or(1));
  }
  return static_cast<double>(most);
}

bool has_16_bit_floats(const graph::Graph& graph) {
  return std::ranges::any_of(graph.values, [](const graph::Value& value) {
    return is_float(value.type) && value.type.dtype.bits <= 16;
  });
}

// An error of two units in the last place of f32 wherever f32 rounds; what is exact stays exact, so
// that x == max(x) stays what it is.
Tensor shaken(const Tensor& exact, SplitMix64& numbers) {
  std::vector<double> values = exact.to_vector<double>();
  for (double& value : values) {
    const double rounded = static_cast<float>(value);
    if (rounded == value || !std::isfinite(rounded)) continue;
    const double error = 2 * epsilon(f32) * numbers.uniform(-1, 1);
    value = static_cast<float>(value * (1 + error));
  }
  return Tensor::of(values, exact.shape());
}

// Does it add up or multiply many values? Each partial result is rounded then, which may be much more
// than the result: an error of each term stands for that. Composites are not looked into.
bool rounds_on_the_way(const graph::Graph& graph, const graph::Node& node) {
  if (node.op->record() == nullptr || node.op->record()->decompose) return true;
  const ops::Reducer reducer = schedule::meaning_of(graph, node).definition.reducer;
  return reducer == ops::Reducer::sum || reducer == ops::Reducer::prod;
}

Tensor with_errors(const Tensor& terms, SplitMix64& numbers) {
  if (!(terms.dtype() == f64) || terms.is_weak()) return terms;
  std::vector<double> values = terms.to_vector<double>();
  for (double& value : values) value *= 1 + 2 * epsilon(f32) * numbers.uniform(-1, 1);
  return Tensor::of(values, terms.shape());
}

bool reads_floats(const graph::Graph& graph, const graph::Node& node) {
  return std::ranges::any_of(graph::operands(node),
                             [&](graph::ValueId id) { return is_float(graph[id].type); });
}

// A function of integers that gives floats, as sin of a bool: its operands can be floats as well. An
// op without a body makes numbers, random ones perhaps, which depend on their dtype.
bool takes_integers_as_floats(const graph::Graph& graph, const graph::Node& node) {
  const ops::OpRecord* record = node.op->record();
  return record != nullptr && record->body && is_float(graph[node.results[0]].type) &&
         !reads_floats(graph, node);
}

// The node as it is for f64 operands: what it casts to is f64, too.
graph::Node widened(graph::Node node, const graph::Graph& graph) {
  if (!reads_floats(graph, node) && !takes_integers_as_floats(graph, node)) return node;
  for (graph::Argument& arg : node.args) {
    const auto* dtype = std::get_if<DType>(&arg);
    if (dtype != nullptr && is_floating(*dtype)) arg = f64;
  }
  return node;
}

// |a - b| of each element, but at least what 99 of 100 elements stay below: luck is no precision.
std::vector<double> distances(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> result(a.size());
  std::vector<double> finite;
  for (size_t i = 0; i < a.size(); ++i) {
    const bool is_same = a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i]));
    const double distance = is_same ? 0 : std::abs(a[i] - b[i]);
    result[i] = std::isnan(distance) ? kInfinity : distance;
    if (std::isfinite(result[i])) finite.push_back(result[i]);
  }
  if (finite.empty()) return result;
  const size_t usual = std::min(finite.size() - 1, finite.size() * 99 / 100);
  std::ranges::nth_element(finite, finite.begin() + static_cast<int64_t>(usual));
  for (double& distance : result) distance = std::max(distance, finite[usual]);
  return result;
}

int64_t points_of(const graph::Graph& graph, const graph::Node& node) {
  if (!is_control(node)) return schedule::meaning_of(graph, node).points().known().value_or(0);
  int64_t points = 0;
  for (const graph::Body& body : control_parts(node).bodies) {
    points += reference_points(graph::decompose(*body, {}));  // passes leave bodies as they are
  }
  return points;
}

}  // namespace

Oracle::Oracle(const graph::Graph& graph, std::vector<Tensor> inputs)
    : graph_(graph), inputs_(std::move(inputs)), length_(largest_value(graph)) {
  RIDGE_INTERNAL_CHECK(graph::is_functional(graph) && !graph::has_control(graph),
                       "an oracle of a graph that writes or chooses");
  exact_ = evaluate(Arithmetic::exact);
  try {
    shaken_ = evaluate(Arithmetic::shaken);
  } catch (const Error&) {
    shaken_ = exact_;  // an index that turns on a rounding
  }
  if (has_16_bit_floats(graph)) declared_ = evaluate(Arithmetic::declared);
}

Oracle::Outputs Oracle::evaluate(Arithmetic arithmetic) const {
  using dispatch::Key;
  const reference::UseReference by_reference;
  const dispatch::ExcludeKeys values_only({Key::trace, Key::autograd, Key::autocast, Key::profile});
  const bool is_wide = arithmetic != Arithmetic::declared;
  const auto wide = [&](const Tensor& t) {
    const bool narrows = is_wide && is_floating(t.dtype()) && !is_storage_only(t.dtype());
    return narrows && !(t.dtype() == f64) ? cast(t, f64) : t;
  };
  SplitMix64 numbers(1);
  std::vector<Tensor> values(graph_.values.size());
  const auto at = [&](graph::ValueId id) -> Tensor& {
    return values[static_cast<size_t>(id.index)];
  };
  for (size_t i = 0; i < inputs_.size(); ++i) at(graph_.inputs[i]) = wide(inputs_[i]);
  for (size_t i = 0; i < values.size(); ++i) {
    const Tensor& constant = graph_.values[i].constant;
    if (constant.defined()) values[i] = constant.is_weak() ? constant : wide(constant);
  }
  for (const graph::Node& node : graph_.nodes) {
    const bool errs = arithmetic == Arithmetic::shaken && rounds_on_the_way(graph_, node);
    const bool lifts = is_wide && takes_integers_as_floats(graph_, node);
    const graph::BoundArguments bound(is_wide ? widened(node, graph_) : node, [&](auto id) {
      const Tensor operand = lifts ? cast(at(id), f64) : at(id);
      return errs ? with_errors(operand, numbers) : operand;
    });
    const dispatch::Tensors results = dispatch::call_values(*node.op, bound.args(), node.where);
    for (size_t i = 0; i < results.size(); ++i) {
      const DType declared = graph_[node.results[i]].type.dtype;
      const bool is_shaken = arithmetic == Arithmetic::shaken && is_floating(declared) &&
                             !(declared == f64) && !is_storage_only(declared);
      at(node.results[i]) = is_shaken ? shaken(results[i], numbers) : wide(results[i]);
    }
  }
  Outputs outputs;
  for (const graph::ValueId id : graph_.outputs) {
    const DType declared = graph_[id].type.dtype;
    const bool is_there = at(id).dtype() == declared;
    outputs.push_back((is_there ? at(id) : cast(at(id), declared)).to_vector<double>());
  }
  return outputs;
}

std::vector<double> Oracle::allowed(size_t number) const {
  const DType dtype = graph_[graph_.outputs[number]].type.dtype;
  const std::vector<double>& exact = exact_[number];
  std::vector<double> moved = distances(shaken_[number], exact);
  std::vector<double> rounded(exact.size());
  if (declared_) rounded = distances((*declared_)[number], exact);
  std::vector<double> result(exact.size());
  if (!is_floating(dtype)) {
    const auto is_decided = [&](const Outputs& other, size_t i) {
      return other[number][i] == exact[i];
    };
    for (size_t i = 0; i < exact.size(); ++i) {
      const bool holds = is_decided(shaken_, i) && (!declared_ || is_decided(*declared_, i));
      result[i] = holds ? 0 : kInfinity;
    }
    return result;
  }
  const double least = dtype == f64 ? sway_of_f64(number) : 0;
  for (size_t i = 0; i < exact.size(); ++i) {
    const double own = reference::working_epsilon(dtype) * std::abs(exact[i]);
    const double sway = std::max(own, least) + moved[i];
    result[i] = reference::tolerance(dtype, length_, exact[i], sway) + 4 * rounded[i];
  }
  return result;
}

// All is f64 to the reference, too, so nothing was seen to move: the largest result stands for it.
double Oracle::sway_of_f64(size_t number) const {
  double largest = 1;
  for (const double value : exact_[number]) {
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  }
  return reference::working_epsilon(f64) * largest;
}

std::optional<reference::Mismatch> Oracle::judge(size_t number, const Tensor& ours) {
  const std::vector<double> values = ours.to_vector<double>();
  auto worst = reference::worst_mismatch(values, exact_[number], allowed(number));
  if (!worst || declared_) return worst;
  // Perhaps an intermediate leaves the range of its dtype, which f64 holds.
  declared_ = evaluate(Arithmetic::declared);
  return reference::worst_mismatch(values, exact_[number], allowed(number));
}

std::string expected_text(const reference::Mismatch& mismatch, const Shape& shape) {
  std::vector<int64_t> position(shape.size());
  auto rest = static_cast<int64_t>(mismatch.element);
  for (size_t i = shape.size(); i-- > 0;) {
    position[i] = rest % shape[i].value();
    rest /= shape[i].value();
  }
  return concat(mismatch.expected, " at [", join(position, ", "), "], within ", mismatch.allowed);
}

int64_t reference_points(const graph::Graph& graph) {
  int64_t points = 0;
  for (const graph::Node& node : graph.nodes) {
    points += points_of(graph, node);
    if (points > kMostReferencePoints) break;
  }
  return points;
}

}  // namespace ridge::driver

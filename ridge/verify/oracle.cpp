#include "ridge/verify/oracle.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <span>

#include "ridge/base/random.h"
#include "ridge/base/text.h"
#include "ridge/dispatch/call.h"
#include "ridge/dispatch/thread_state.h"
#include "ridge/graph/control.h"
#include "ridge/graph/passes/passes.h"
#include "ridge/ops/arithmetic.h"
#include "ridge/ops/record.h"
#include "ridge/reference/reference.h"
#include "ridge/schedule/node_definition.h"

namespace ridge::verify {
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

// Errors of one to two units in the last place, of either sign. Those against a direction are the same
// ones with the other sign, so that a decision near its threshold is seen to turn in one of the two.
class Errors {
 public:
  explicit Errors(double direction) : direction_(direction) {}

  double next(double unit = epsilon(f32)) {
    const double size = numbers_.uniform(-1, 1);
    return direction_ * unit * (size < 0 ? size - 1 : size + 1);
  }

 private:
  SplitMix64 numbers_{1};
  double direction_;
};

// An error wherever the dtype rounds; what is exact stays exact, so that x == max(x) stays what it is.
// `terms` is how large what the op adds up is: 1 + erf(x) has the error of 1 where it is almost 0.
Tensor shaken(const Tensor& exact, DType dtype, Errors& errors, std::span<const double> terms) {
  const double unit = dtype.bits <= 16 ? epsilon(dtype) / 2 : epsilon(dtype);
  std::vector<double> values = exact.to_vector<double>();
  const std::vector<double> rounded = cast(exact, dtype).to_vector<double>();
  for (size_t i = 0; i < values.size(); ++i) {
    double& value = values[i];
    const double size = terms.empty() ? 0 : terms[i];
    const bool is_exact = rounded[i] == value && std::abs(value) >= epsilon(f32) * size;
    if (is_exact || value == 0 || !std::isfinite(rounded[i])) continue;
    value = static_cast<float>(value + errors.next(unit) * std::max(std::abs(value), size));
  }
  return Tensor::of(values, exact.shape());
}

// Does it add up or multiply many values? Each partial result is rounded then, which may be much more
// than the result: an error of each term stands for that. Composites are not looked into.
bool rounds_on_the_way(const graph::Graph& graph, const graph::Node& node) {
  if (node.op->record() == nullptr || node.op->record()->decompose) return true;
  const ops::Reducer reducer = schedule::define_node(graph, node).definition.reducer;
  return reducer == ops::Reducer::sum || reducer == ops::Reducer::prod;
}

Tensor with_errors(const Tensor& terms, Errors& errors) {
  if (!(terms.dtype() == f64) || terms.is_weak()) return terms;
  std::vector<double> values = terms.to_vector<double>();
  for (double& value : values) value *= 1 + errors.next();
  return Tensor::of(values, terms.shape());
}

// How large the terms are that a node with a body computes each element from: its operands there.
// Zeros where they are not element by element.
std::vector<double> terms_of(const graph::Node& node, const Tensor& result,
                             const std::function<Tensor(graph::ValueId)>& at) {
  std::vector<double> terms(static_cast<size_t>(result.numel().value()));
  if (node.op->record() == nullptr || !node.op->record()->body) return terms;
  for (const graph::ValueId id : graph::operands(node)) {
    const Tensor operand = at(id);
    if (!is_same(operand.shape(), result.shape())) continue;
    const std::vector<double> values = operand.to_vector<double>();
    for (size_t i = 0; i < values.size(); ++i) terms[i] = std::max(terms[i], std::abs(values[i]));
  }
  return terms;
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
  if (!is_control(node)) return schedule::define_node(graph, node).points().known().value_or(0);
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
  shaken_ = shaken_outputs(Arithmetic::shaken);
  if (has_16_bit_floats(graph)) declared_ = evaluate(Arithmetic::declared);
}

Oracle::Outputs Oracle::shaken_outputs(Arithmetic arithmetic) const {
  try {
    return evaluate(arithmetic);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::memory) throw;
    return exact_;  // an index that turns on a rounding
  }
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
  const bool is_shaken_run =
      arithmetic == Arithmetic::shaken || arithmetic == Arithmetic::shaken_back;
  Errors errors(arithmetic == Arithmetic::shaken_back ? -1 : 1);
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
    const bool errs = is_shaken_run && rounds_on_the_way(graph_, node);
    const bool lifts = is_wide && takes_integers_as_floats(graph_, node);
    const graph::BoundArguments bound(is_wide ? widened(node, graph_) : node, [&](auto id) {
      const Tensor operand = lifts ? cast(at(id), f64) : at(id);
      return errs ? with_errors(operand, errors) : operand;
    });
    const dispatch::Tensors results = dispatch::call_values(*node.op, bound.args(), node.where);
    for (size_t i = 0; i < results.size(); ++i) {
      const DType declared = graph_[node.results[i]].type.dtype;
      const bool is_shaken = is_shaken_run && is_floating(declared) && !(declared == f64) &&
                             !is_storage_only(declared);
      if (!is_shaken) {
        at(node.results[i]) = wide(results[i]);
        continue;
      }
      // The second run looks at all that may move: a kernel may round some of the 16-bit values in it
      // and keep others as f32, and bodies round within.
      const bool is_second = arithmetic == Arithmetic::shaken_back;
      const auto terms = is_second ? terms_of(node, results[i], at) : std::vector<double>();
      at(node.results[i]) = shaken(results[i], is_second ? declared : f32, errors, terms);
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
  if (shaken_back_) {
    const std::vector<double> back = distances((*shaken_back_)[number], exact);
    std::vector<double>& widened = has_16_bit_floats(graph_) ? rounded : moved;
    for (size_t i = 0; i < back.size(); ++i) widened[i] = std::max(widened[i], back[i]);
  }
  std::vector<double> result(exact.size());
  if (!is_floating(dtype)) {
    const auto is_decided = [&](const Outputs& other, size_t i) {
      return other[number][i] == exact[i];
    };
    for (size_t i = 0; i < exact.size(); ++i) {
      const bool holds = is_decided(shaken_, i) && (!declared_ || is_decided(*declared_, i)) &&
                         (!shaken_back_ || is_decided(*shaken_back_, i));
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
  if (!worst || shaken_back_) return worst;
  // Perhaps an intermediate leaves the range of its dtype, which f64 holds, or a decision turns on a
  // rounding that went the other way.
  shaken_back_ = shaken_outputs(Arithmetic::shaken_back);
  if (!declared_) declared_ = evaluate(Arithmetic::declared);
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

}  // namespace ridge::verify

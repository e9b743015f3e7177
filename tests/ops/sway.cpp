#include "sway.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "recorded_case.h"
#include "ridge/base/random.h"
#include "ridge/graph/passes/passes.h"
#include "ridge/ops/derived.h"
#include "ridge/reference/reference.h"
#include "ridge/schedule/node_definition.h"

namespace ridge::testing {
namespace {

using expr::Expr;
using expr::Function;
using expr::Number;

constexpr int kTrials = 3;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Errors of one to two units in the last place, of either sign.
class Errors {
 public:
  explicit Errors(uint64_t seed) : random_(seed) {}

  double next(double unit) {
    const double size = random_.uniform(-1, 1);
    return unit * (size < 0 ? size - 1 : size + 1);
  }
  // A result of arithmetic in that dtype; what f32 holds exactly is exact.
  double rounded(double value, DType arithmetic) {
    if (arithmetic == f64) return value * (1 + next(epsilon(f64)));
    const auto nearest = static_cast<float>(value);
    if (static_cast<double>(nearest) == value || !std::isfinite(nearest)) return nearest;
    const double least = std::numeric_limits<float>::denorm_min();
    if (std::abs(nearest) < std::numeric_limits<float>::min()) return value + next(least);
    return value * (1 + next(epsilon(f32)));
  }

 private:
  SplitMix64 random_;
};

// Those whose result is an operand, or exact by what they are.
bool is_exact(Function function) {
  switch (function) {
    case Function::neg:
    case Function::floor_div:
    case Function::mod:
    case Function::min:
    case Function::max:
    case Function::abs:
    case Function::sign:
    case Function::floor:
    case Function::ceil:
    case Function::round:
    case Function::trunc: return true;
    default: return false;
  }
}

Number number_of(const dispatch::Arg& arg) {
  if (arg.kind == dispatch::ArgKind::integer) return Number::of(arg.integer);
  if (arg.kind == dispatch::ArgKind::flag) return Number::of(arg.flag);
  return Number::of(arg.kind == dispatch::ArgKind::real ? arg.real : 0.0);
}

// The body of a pointwise op at every point, with an error after each function that rounds.
class ShakenBody {
 public:
  ShakenBody(const ops::OpRecord& record, const ops::Call& call, DType arithmetic, Errors& errors)
      : resolved_(ops::resolve(record, call)), arithmetic_(arithmetic), errors_(errors) {
    std::vector<expr::Type> types;
    for (const DType dtype : resolved_.dtypes.inputs) types.push_back(scalar_type(dtype));
    const Expr body = record.body(ops::Scalars(call.schema(), types));
    expr::walk(body, [&](const Expr& e) { steps_.push_back(e); });
    for (size_t i = 0; i < call.operands().size(); ++i) {
      operands_.push_back(expand(call.operand(i), resolved_.shapes[0]).to_vector<double>());
    }
    for (const dispatch::Arg& arg : call.args()) params_.push_back(number_of(arg));
  }

  Tensor run() {
    std::vector<double> results(static_cast<size_t>(numel(resolved_.shapes[0]).value()));
    for (size_t i = 0; i < results.size(); ++i) results[i] = at(i).as_real();
    return Tensor::of(results, resolved_.shapes[0]);
  }

 private:
  Number at(size_t point) {
    std::unordered_map<const expr::Node*, Number> known;
    for (const Expr& e : steps_) {
      std::vector<Number> args;
      for (const Expr& arg : e->args) args.push_back(known.at(arg.get()));
      known[e.get()] = value(e, args, point);
    }
    return known.at(steps_.back().get());
  }

  Number value(const Expr& e, std::span<const Number> args, size_t point) {
    const auto index = static_cast<size_t>(e->index);
    switch (e->kind) {
      case expr::Kind::constant: return constant_value(e);
      case expr::Kind::input: return convert(Number::of(operands_[index][point]), e->type);
      case expr::Kind::param: return convert(params_[index], e->type);
      case expr::Kind::cast: return convert(args[0], e->type);
      default: break;
    }
    if (e->function == Function::select) return args[0].as_boolean() ? args[1] : args[2];
    if (!can_apply(e->function, args)) return Number::of(0.0);  // on the side that is not chosen
    const Number exact = apply(e->function, args);
    const bool is_shaken = exact.type == expr::Type::real && !is_exact(e->function);
    return is_shaken ? Number::of(errors_.rounded(exact.real, arithmetic_)) : exact;
  }

  ops::Resolved resolved_;
  DType arithmetic_;
  Errors& errors_;
  std::vector<Expr> steps_;  // arguments first
  std::vector<std::vector<double>> operands_;
  std::vector<Number> params_;
};

bool is_float(const graph::Type& type) {
  return is_floating(type.dtype) && !is_storage_only(type.dtype);
}

Tensor wide(const Tensor& t) {
  const bool narrows = is_floating(t.dtype()) && !is_storage_only(t.dtype());
  return narrows && !t.is_weak() && t.dtype() != f64 ? cast(t, f64) : t;
}

Tensor changed(const Tensor& t, const std::function<double(double)>& change) {
  if (t.dtype() != f64 || t.is_weak()) return t;
  std::vector<double> values = t.to_vector<double>();
  for (double& value : values) value = change(value);
  return Tensor::of(values, t.shape());
}

class Evaluation {
 public:
  // Without errors it is exact.
  Evaluation(const graph::Graph& graph, std::span<const Tensor> inputs, Errors* errors)
      : graph_(graph), errors_(errors), values_(graph.values.size()) {
    for (size_t i = 0; i < inputs.size(); ++i) at(graph.inputs[i]) = wide(inputs[i]);
    for (size_t i = 0; i < values_.size(); ++i) {
      const Tensor& constant = graph.values[i].constant;
      if (constant.defined()) values_[i] = wide(constant);
    }
    for (const graph::Node& node : graph.nodes) evaluate(node);
  }

  std::vector<double> output(size_t number) {
    return at(graph_.outputs[number]).to_vector<double>();
  }

 private:
  Tensor& at(graph::ValueId id) { return values_[static_cast<size_t>(id.index)]; }

  bool reads_floats(const graph::Node& node) const {
    return std::ranges::any_of(graph::operands(node),
                               [&](graph::ValueId id) { return is_float(graph_[id].type); });
  }
  // A function of integers that gives floats, as sin of a bool: its operands can be floats as well.
  bool lifts(const graph::Node& node) const {
    return node.op->record()->body && is_float(graph_[node.results[0]].type) && !reads_floats(node);
  }
  // Does it add up or multiply many values? Each partial result is rounded then, for which an error of
  // each term stands.
  bool accumulates(const graph::Node& node) const {
    if (node.op->record()->body) return false;
    if (node.op->record()->decompose) return true;
    const ops::Reducer reducer = schedule::define_node(graph_, node).definition.reducer;
    return reducer == ops::Reducer::sum || reducer == ops::Reducer::prod;
  }
  bool multiplies(const graph::Node& node) const {
    return !node.op->record()->decompose &&
           schedule::define_node(graph_, node).definition.reducer == ops::Reducer::prod;
  }
  // Can partial products leave the range of f32, in some order?
  bool may_overflow(const graph::Node& node) {
    double product = 1;
    for (const graph::ValueId id : graph::operands(node)) {
      for (const double v : at(id).to_vector<double>()) product *= std::max(std::abs(v), 1.0);
    }
    return std::isfinite(product) && product > std::numeric_limits<float>::max();
  }
  bool is_read(graph::ValueId id) const {
    return std::ranges::any_of(graph_.nodes, [&](const graph::Node& node) {
      return std::ranges::count(graph::operands(node), id) > 0;
    });
  }
  DType arithmetic_of(const graph::Node& node) const {
    const auto is_f64 = [&](graph::ValueId id) { return graph_[id].type.dtype == f64; };
    return std::ranges::any_of(node.results, is_f64) ? f64 : f32;
  }

  graph::Node widened(graph::Node node) const {
    if (!reads_floats(node) && !lifts(node)) return node;
    for (graph::Argument& arg : node.args) {
      const auto* dtype = std::get_if<DType>(&arg);
      if (dtype != nullptr && is_floating(*dtype) && !is_storage_only(*dtype)) arg = f64;
    }
    return node;
  }

  void evaluate(const graph::Node& node) {
    const bool is_lifted = lifts(node), errs = errors_ != nullptr && accumulates(node);
    const DType arithmetic = arithmetic_of(node);
    const double unit = epsilon(arithmetic);
    const graph::BoundArguments bound(widened(node), [&](graph::ValueId id) {
      const Tensor operand = is_lifted ? cast(at(id), f64) : at(id);
      if (!errs) return operand;
      return changed(operand, [&](double v) { return v * (1 + errors_->next(unit)); });
    });
    const bool is_float_body = node.op->record()->body && is_float(graph_[node.results[0]].type);
    if (errors_ != nullptr && is_float_body) {
      const ops::Call call(node.op->schema(), bound.args());
      keep(node.results[0], ShakenBody(*node.op->record(), call, arithmetic, *errors_).run());
      return;
    }
    const dispatch::Tensors results = dispatch::call_values(*node.op, bound.args(), node.where);
    for (size_t i = 0; i < results.size(); ++i) {
      Tensor result = wide(results[i]);
      if (errs) {
        const bool overflows = multiplies(node) && arithmetic == f32 && may_overflow(node);
        result = changed(result, [&](double v) {
          return overflows ? kInfinity : errors_->rounded(v, arithmetic);
        });
      }
      keep(node.results[i], result);
    }
  }

  void keep(graph::ValueId id, const Tensor& result) {
    const DType declared = graph_[id].type.dtype;
    const bool is_rounded = errors_ != nullptr && is_16_bit_float(declared) && is_read(id);
    const double unit = epsilon(declared) / 2;
    at(id) = is_rounded ? changed(result, [&](double v) { return v * (1 + errors_->next(unit)); })
                        : result;
  }

  const graph::Graph& graph_;
  Errors* errors_;
  std::vector<Tensor> values_;
};

double distance(double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
  return std::isnan(a) || std::isnan(b) ? kInfinity : std::abs(a - b);
}

}  // namespace

Sways sways_of(const OpCase& c) {
  const RecordedCase made = record(c, kCpu);
  const graph::Graph graph = graph::decompose(made.graph, {});
  const reference::UseReference by_reference;
  Evaluation exact(graph, made.inputs, nullptr);
  Sways sways(graph.outputs.size());
  for (int trial = 0; trial < kTrials; ++trial) {
    Errors errors(static_cast<uint64_t>(trial));
    Evaluation shaken(graph, made.inputs, &errors);
    for (size_t i = 0; i < sways.size(); ++i) {
      if (!is_float(graph[graph.outputs[i]].type)) continue;
      const std::vector<double> from = exact.output(i), to = shaken.output(i);
      sways[i].resize(from.size());
      for (size_t at = 0; at < from.size(); ++at) {
        sways[i][at] = std::max(sways[i][at], distance(to[at], from[at]));
      }
    }
  }
  return sways;
}

}  // namespace ridge::testing

#include "tests/fuzz/body_runs.h"

#include <cmath>
#include <unordered_map>

#include "ridge/ops/arithmetic.h"
#include "ridge/ops/record.h"
#include "ridge/ops/view.h"
#include "tests/fuzz/tracked_value.h"

namespace ridge::fuzz {
namespace {

using expr::Expr;
using expr::Number;
using graph::ValueId;

Expr body_of(const graph::Node& node, std::vector<expr::Type> types) {
  return node.op->record()->body(ops::Scalars(node.op->schema(), std::move(types)));
}

std::vector<expr::Type> all_real(const graph::Node& node) {
  return std::vector<expr::Type>(graph::operands(node).size(), expr::Type::real);
}

Number parameter(const graph::Node& node, int index) {
  const graph::Argument& arg = node.args[static_cast<size_t>(index)];
  if (const auto* integer = std::get_if<int64_t>(&arg)) return Number::of(*integer);
  if (const auto* flag = std::get_if<bool>(&arg)) return Number::of(*flag);
  return Number::of(std::get<double>(arg));
}

class BodyRun {
 public:
  BodyRun(const graph::Node& node, DType dtype, SplitMix64& random)
      : node_(node), dtype_(is_floating(dtype) && dtype == f64 ? f64 : f32), random_(random) {}

  Number evaluate(const Expr& e, std::span<const Number> inputs) {
    done_.clear();
    return part(e, inputs);
  }

 private:
  Number part(const Expr& e, std::span<const Number> inputs) {
    if (const auto it = done_.find(e.get()); it != done_.end()) return it->second;
    Number result = compute(e, inputs);
    done_.emplace(e.get(), result);
    return result;
  }

  Number compute(const Expr& e, std::span<const Number> inputs) {
    switch (e->kind) {
      case expr::Kind::constant: return expr::constant_value(e);
      case expr::Kind::input: return expr::convert(inputs[static_cast<size_t>(e->index)], e->type);
      case expr::Kind::param: return expr::convert(parameter(node_, e->index), e->type);
      case expr::Kind::cast: return expr::convert(part(e->args[0], inputs), e->type);
      case expr::Kind::call: break;
      case expr::Kind::symbol:
      case expr::Kind::axis:
      case expr::Kind::load: RIDGE_INTERNAL_CHECK(false, "a body has no such leaf");
    }
    if (e->function == expr::Function::select) {
      return part(part(e->args[0], inputs).as_boolean() ? e->args[1] : e->args[2], inputs);
    }
    std::vector<Number> args;
    for (const Expr& arg : e->args) args.push_back(part(arg, inputs));
    Number result = expr::apply(e->function, args);
    if (result.type == expr::Type::real && std::isfinite(result.real)) {
      result.real += rounding(result.real, dtype_) * random_.uniform(-1, 1);
    }
    return result;
  }

  const graph::Node& node_;
  DType dtype_;  // that a kernel computes in
  SplitMix64& random_;
  std::unordered_map<const expr::Node*, Number> done_;
};

}  // namespace

std::vector<Expr> bodies_of(const graph::Node& node) {
  if (node.op->record() == nullptr || !node.op->record()->body) return {};
  return {body_of(node, all_real(node))};
}

bool has_long_body(const graph::Node& node) {
  int calls = 0;
  for (const Expr& body : bodies_of(node)) {
    expr::walk(body, [&](const Expr& e) {
      const bool is_real_call = e->kind == expr::Kind::call && e->type == expr::Type::real;
      calls += is_real_call ? 1 : 0;
    });
  }
  return calls > 1;
}

Tensor run_body(const graph::Node& node, const Shape& shape, DType dtype,
                const std::vector<Tensor>& operands, SplitMix64& random) {
  std::vector<std::vector<double>> columns;
  std::vector<expr::Type> types;
  const auto& accepts = node.op->record()->dtype.accepts;
  for (const Tensor& operand : operands) {
    // Reals for everything but a condition: the oracle's floating operands are all f64.
    const bool is_condition =
        accepts[std::min(types.size(), accepts.size() - 1)] == ops::Accept::boolean;
    const bool is_real = is_floating(dtype) && !is_boolean(operand.dtype());
    types.push_back(is_condition ? expr::Type::boolean
                    : is_real    ? expr::Type::real
                                 : scalar_type(operand.dtype()));
    columns.push_back(expand(operand, shape).to_vector<double>());
  }
  const Expr body = body_of(node, types);
  BodyRun run(node, dtype, random);
  std::vector<double> results(columns.empty() ? 0 : columns[0].size());
  for (size_t i = 0; i < results.size(); ++i) {
    std::vector<Number> inputs;
    for (size_t j = 0; j < columns.size(); ++j) {
      inputs.push_back(expr::convert(Number::of(columns[j][i]), types[j]));
    }
    results[i] = run.evaluate(body, inputs).as_real();
  }
  const Tensor doubles = of_doubles(results, shape);
  return is_floating(dtype) ? doubles : cast(doubles, dtype);
}

}  // namespace ridge::fuzz

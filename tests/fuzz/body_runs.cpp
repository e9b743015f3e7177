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

Expr body_of(const dispatch::Operator& op, std::vector<expr::Type> types) {
  return op.record()->body(ops::Scalars(op.schema(), std::move(types)));
}

bool is_condition(const dispatch::Operator& op, size_t operand) {
  const auto& accepts = op.record()->dtype.accepts;
  return accepts[std::min(operand, accepts.size() - 1)] == ops::Accept::boolean;
}

// With reals for everything but conditions.
std::vector<Expr> real_bodies_of(const dispatch::Operator& op) {
  if (op.record() == nullptr || !op.record()->body) return {};
  std::vector<expr::Type> types;
  for (size_t i = 0; i < op.schema().parameters.size(); ++i) {
    types.push_back(is_condition(op, i) ? expr::Type::boolean : expr::Type::real);
  }
  return {body_of(op, std::move(types))};
}

Number parameter(const graph::Node& node, int index) {
  const graph::Argument& arg = node.args[static_cast<size_t>(index)];
  if (const auto* integer = std::get_if<int64_t>(&arg)) return Number::of(*integer);
  if (const auto* flag = std::get_if<bool>(&arg)) return Number::of(*flag);
  return Number::of(std::get<double>(arg));
}

// Evaluates an expression point by point. Parts are numbered, since a point is evaluated so often.
class BodyRun {
 public:
  BodyRun(const graph::Node& node, const Expr& body, DType dtype, SplitMix64& random)
      : node_(node), dtype_(is_floating(dtype) && dtype == f64 ? f64 : f32), random_(random) {
    body_ = number_of(body);
  }

  Number evaluate(std::span<const Number> inputs) {
    for (Part& part : parts_) part.is_done = false;
    return value(body_, inputs);
  }

 private:
  struct Part {
    Expr expression;
    std::vector<size_t> args{};
    Number value{};
    bool is_done = false;
  };

  size_t number_of(const Expr& e) {
    if (const auto it = numbers_.find(e.get()); it != numbers_.end()) return it->second;
    Part part{e};
    for (const Expr& arg : e->args) part.args.push_back(number_of(arg));
    parts_.push_back(std::move(part));
    numbers_.emplace(e.get(), parts_.size() - 1);
    return parts_.size() - 1;
  }

  const Number& value(size_t number, std::span<const Number> inputs) {
    Part& part = parts_[number];
    if (!part.is_done) part.value = compute(part, inputs);
    part.is_done = true;
    return part.value;
  }

  Number compute(const Part& part, std::span<const Number> inputs) {
    const expr::Node& e = *part.expression.get();
    switch (e.kind) {
      case expr::Kind::constant: return expr::constant_value(part.expression);
      case expr::Kind::input: return expr::convert(inputs[static_cast<size_t>(e.index)], e.type);
      case expr::Kind::param: return expr::convert(parameter(node_, e.index), e.type);
      case expr::Kind::cast: return expr::convert(value(part.args[0], inputs), e.type);
      case expr::Kind::call: break;
      case expr::Kind::symbol:
      case expr::Kind::axis:
      case expr::Kind::load: RIDGE_INTERNAL_CHECK(false, "a body has no such leaf");
    }
    if (e.function == expr::Function::select) {
      return value(part.args[value(part.args[0], inputs).as_boolean() ? 1 : 2], inputs);
    }
    SmallVector<Number, 4> args;
    for (const size_t arg : part.args) args.push_back(value(arg, inputs));
    Number result = expr::apply(e.function, std::span<const Number>(args.data(), args.size()));
    if (result.type == expr::Type::real && std::isfinite(result.real)) {
      result.real += rounding(result.real, dtype_) * random_.uniform(-1, 1);
    }
    return result;
  }

  const graph::Node& node_;
  DType dtype_;  // that a kernel computes in
  SplitMix64& random_;
  std::vector<Part> parts_;  // operands first
  std::unordered_map<const expr::Node*, size_t> numbers_;
  size_t body_ = 0;
};

}  // namespace

std::vector<Expr> bodies_of(const graph::Node& node) { return real_bodies_of(*node.op); }

bool has_long_body(const dispatch::Operator& op) {
  int calls = 0;
  for (const Expr& body : real_bodies_of(op)) {
    expr::walk(body, [&](const Expr& e) {
      const bool is_real_call = e->kind == expr::Kind::call && e->type == expr::Type::real;
      calls += is_real_call ? 1 : 0;
    });
  }
  return calls > 1;
}

bool has_inexact_body(const dispatch::Operator& op) {
  bool is_inexact = false;
  for (const Expr& body : real_bodies_of(op)) {
    expr::walk(body, [&](const Expr& e) {
      if (e->kind != expr::Kind::call || e->type != expr::Type::real) return;
      is_inexact |= e->function == expr::Function::div || e->function == expr::Function::sqrt ||
                    expr::info(e->function).instructions >= 10;
    });
  }
  return is_inexact && has_long_body(op);
}

Tensor run_body(const graph::Node& node, const Shape& shape, DType dtype,
                const std::vector<Tensor>& operands, SplitMix64& random) {
  std::vector<std::vector<double>> columns;
  std::vector<expr::Type> types;
  for (const Tensor& operand : operands) {
    // Reals for everything but a condition: the oracle's floating operands are all f64.
    const bool is_real = is_floating(dtype) && !is_boolean(operand.dtype());
    types.push_back(is_condition(*node.op, types.size()) ? expr::Type::boolean
                    : is_real                            ? expr::Type::real
                                                         : scalar_type(operand.dtype()));
    columns.push_back(expand(operand, shape).to_vector<double>());
  }
  const Expr body = body_of(*node.op, types);
  BodyRun run(node, body, dtype, random);
  std::vector<double> results(columns.empty() ? 0 : columns[0].size());
  for (size_t i = 0; i < results.size(); ++i) {
    std::vector<Number> inputs;
    for (size_t j = 0; j < columns.size(); ++j) {
      inputs.push_back(expr::convert(Number::of(columns[j][i]), types[j]));
    }
    results[i] = run.evaluate(inputs).as_real();
  }
  const Tensor doubles = of_doubles(results, shape);
  return is_floating(dtype) ? doubles : cast(doubles, dtype);
}

}  // namespace ridge::fuzz

#include "ridge/autograd/gradient_rule.h"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>

#include "ridge/autograd/tensor_evaluator.h"
#include "ridge/expr/derivative.h"
#include "ridge/expr/simplify.h"

namespace ridge::autograd {

GradientRule::GradientRule(const ops::OpRecord& record, const std::vector<expr::Type>& types)
    : record_(record) {
  if (record.grad) {
    read_saves();
  } else if (record.body) {
    from_body_.emplace(record, types);
  }
}

// "x, weight, result": each a parameter or a result of the schema.
void GradientRule::read_saves() {
  const ops::Schema& schema = record_.op->schema();
  saved_parameters_.resize(schema.parameters.size());
  saved_results_.resize(schema.results.size());
  const auto mark = [](const auto& list, std::string_view name, std::vector<bool>& marks) {
    const auto found =
        std::find_if(list.begin(), list.end(), [&](const auto& item) { return item.name == name; });
    if (found == list.end()) return false;
    marks[static_cast<size_t>(found - list.begin())] = true;
    return true;
  };
  std::string_view rest = record_.saves;
  while (!rest.empty()) {
    const size_t comma = std::min(rest.find(','), rest.size());
    std::string_view name = rest.substr(0, comma);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
    name.remove_prefix(std::min(name.find_first_not_of(' '), name.size()));
    name = name.substr(0, name.find_last_not_of(' ') + 1);
    const bool is_known = mark(schema.parameters, name, saved_parameters_) ||
                          mark(schema.results, name, saved_results_);
    RIDGE_INTERNAL_CHECK(is_known, "`.saves` of " + schema.name + " names `" + std::string(name) +
                                       "`, which is not in its schema");
  }
}

bool GradientRule::reads_operand(size_t number, size_t parameter, const Needed& needed) const {
  if (from_body_) return from_body_->reads_operand(number, needed);
  return !saved_parameters_.empty() && saved_parameters_[parameter];
}

bool GradientRule::reads_result(size_t number, const Needed& needed) const {
  if (from_body_) return from_body_->reads_result(needed);
  return !saved_results_.empty() && saved_results_[number];
}

ops::Tensors GradientRule::apply(const ops::Grads& grads, const ops::Saved& saved) const {
  if (from_body_) return from_body_->apply(grads, saved);
  RIDGE_CHECK(static_cast<bool>(record_.grad), .code = ErrorCode::gradient,
              .op = record_.op->name(), .expected = "an op that has a gradient",
              .given = "one whose record gives neither .grad nor .body");
  return record_.grad(grads, saved);
}

const GradientRule& rule_for(const ops::OpRecord& record, const ops::Call& call) {
  using Key = std::pair<const ops::OpRecord*, std::vector<expr::Type>>;
  static std::shared_mutex& mutex = *new std::shared_mutex;
  static auto& rules = *new std::map<Key, std::unique_ptr<const GradientRule>>;

  Key key{&record, {}};
  if (!record.grad && record.body) {
    for (const DType dtype : record.dtype.apply(call).inputs) {
      key.second.push_back(scalar_type(dtype));
    }
  }
  {
    const std::shared_lock lock(mutex);
    const auto found = rules.find(key);
    if (found != rules.end()) return *found->second;
  }
  auto rule = std::make_unique<const GradientRule>(record, key.second);
  const std::unique_lock lock(mutex);
  return *rules.try_emplace(std::move(key), std::move(rule)).first->second;
}

using expr::Expr;

namespace {

bool reads(const Expr& e, int input) {
  bool found = false;
  expr::walk(e, [&](const Expr& node) {
    found |= node->kind == expr::Kind::input && node->index == input;
  });
  return found;
}

bool computes(const Expr& e) { return e->kind == expr::Kind::call; }

}  // namespace

BodyGradient::BodyGradient(const ops::OpRecord& record, const std::vector<expr::Type>& types)
    : record_(record), types_(types), derivatives_(types.size()) {
  // Simplified, as the derivatives will be, or the body would not be found in them.
  const Expr body = expr::simplify(record.body(ops::Scalars(record.op->schema(), types)));
  if (body->type != expr::Type::real) return;
  const Expr result = expr::input(static_cast<int>(types.size()), expr::Type::real);
  for (size_t i = 0; i < types.size(); ++i) {
    if (types[i] != expr::Type::real) continue;
    const Expr derivative = expr::derivative(body, static_cast<int>(i));
    if (expr::is_constant(derivative, 0)) continue;
    derivatives_[i] = expr::transform(
        derivative, [&](const Expr& e) { return expr::same(e, body) ? result : e; });
  }
}

bool BodyGradient::reads_operand(size_t number, const Needed& needed) const {
  for (size_t i = 0; i < derivatives_.size(); ++i) {
    if (needed[i] && derivatives_[i] && reads(*derivatives_[i], static_cast<int>(number))) {
      return true;
    }
  }
  return false;
}

// A derivative of several steps is computed in f32 for 16-bit operands, as one kernel would: each
// step of its own would round.
DType BodyGradient::real_dtype(const ops::Saved& saved) const {
  const auto dtypes = record_.dtype.apply(saved).inputs;
  DType real = kDefaultFloat;
  bool is_long = false;
  for (size_t i = 0; i < derivatives_.size(); ++i) {
    if (!saved.needs(i) || !derivatives_[i]) continue;
    real = dtypes[i];
    is_long |= computes(*derivatives_[i]);
  }
  return is_long && real.bits == 16 ? f32 : real;
}

ops::Tensors BodyGradient::apply(const ops::Grads& grads, const ops::Saved& saved) const {
  const auto input = [&](int number) {
    const size_t i = static_cast<size_t>(number);
    return i == types_.size() ? saved.output() : saved.operand(i);
  };
  TensorEvaluator evaluator(input, saved, real_dtype(saved));
  ops::Tensors results(types_.size());
  for (size_t i = 0; i < results.size(); ++i) {
    if (saved.needs(i) && derivatives_[i]) {
      results[i] = evaluator.multiply(grads[0], *derivatives_[i]);
    }
  }
  return results;
}

}  // namespace ridge::autograd

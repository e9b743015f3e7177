// Control flow: cond, scan and while_loop, with bodies of a few calls.
#include <algorithm>

#include "ridge/capture/control.h"
#include "ridge/dispatch/call.h"
#include "ridge/ops/comparison.h"
#include "ridge/ops/creation.h"
#include "ridge/ops/reduction.h"
#include "tests/fuzz/coverage.h"
#include "tests/fuzz/graph_builder.h"

namespace ridge::fuzz {
namespace {

using Step = std::function<Tensor(const Tensor&, const Tensor&)>;

// Pointwise ops of one or two tensors.
const std::vector<const ops::OpRecord*>& links() {
  static const std::vector<const ops::OpRecord*> records = [] {
    std::vector<const ops::OpRecord*> found;
    for (const ops::OpRecord* record : fuzz::records()) {
      const auto& parameters = record->op->schema().parameters;
      const bool is_tensors =
          parameters.size() <= 2 && std::ranges::all_of(parameters, [](const auto& parameter) {
            return parameter.kind == dispatch::ArgKind::tensor;
          });
      const bool is_plain =
          has(record->traits, ops::Trait::Pointwise) && !has(record->traits, ops::Trait::Random);
      if (is_plain && is_tensors && !parameters.empty()) found.push_back(record);
    }
    return found;
  }();
  return records;
}

// A call that keeps shape and dtype of its first operand, whatever the op makes of them.
Step random_link(GraphBuilder& b) {
  if (b.chance(0.15)) {
    return [](const Tensor& x, const Tensor&) { return sub(x, cast(mean(x), x.dtype())); };
  }
  const auto& record = *links()[static_cast<size_t>(b.integer(0, std::ssize(links()) - 1))];
  const bool takes_number = b.chance(0.3);
  const double number = b.number();
  return [&record, takes_number, number](const Tensor& x, const Tensor& other) {
    std::vector<dispatch::Value> args = {x};
    if (record.op->schema().parameters.size() == 2) {
      args.emplace_back(takes_number ? Tensor::number(number) : other);
    }
    const Tensor result = dispatch::call_values(*record.op, dispatch::borrow(args))[0];
    return result.dtype() == x.dtype() ? result : cast(result, x.dtype());
  };
}

Step random_step(GraphBuilder& b) {
  std::vector<Step> steps;
  for (int64_t left = b.integer(1, 3); left > 0; --left) steps.push_back(random_link(b));
  return [steps](const Tensor& x, const Tensor& other) {
    Tensor result = x;
    for (const Step& step : steps) result = step(result, other);
    return result;
  };
}

size_t floating_value(GraphBuilder& b) {
  const auto found = b.pick([](const Tensor& t) {
    return is_floating(t.dtype()) && elements_of(t.shape()) > 0 && !t.is_weak();
  });
  return found ? *found : b.input(b.floating_dtype(), b.shape(3));
}

bool add_cond(GraphBuilder& b) {
  const size_t x = floating_value(b), decider = floating_value(b);
  const size_t other = b.input(b.value(x).dtype(), b.value(x).shape());
  const double bound = b.number();
  const bool is_decided =
      b.attempt({decider}, [=](Operands v) -> Tensors { return {greater(mean(v[0]), bound)}; });
  if (!is_decided) return false;
  const Step then = random_step(b), otherwise = random_step(b);
  return b.attempt({b.count() - 1, x, other}, [=](Operands v) -> Tensors {
    return {cond(v[0], then, otherwise, v[1], v[2])};
  });
}

bool add_scan(GraphBuilder& b) {
  const size_t carry = floating_value(b);
  const Tensor like = b.value(carry);
  Shape shape = like.shape();
  shape.insert(shape.begin(), Size(b.chance(0.1) ? 0 : b.integer(1, 5)));
  const size_t xs = b.input(like.dtype(), shape);
  const Step next = random_step(b), y = random_step(b);
  const bool is_reverse = b.chance(0.4);
  return b.attempt({carry, xs}, [=](Operands v) -> Tensors {
    const auto step = [&](const Tensor& now, const Tensor& x) {
      return std::pair(next(now, x), y(now, x));
    };
    const auto [last, ys] = scan(step, v[0], v[1], {.reverse = is_reverse});
    return {last, ys};
  });
}

// Ends after a few steps, counted in the state; sometimes earlier, by what the state has become.
bool add_while(GraphBuilder& b) {
  const size_t x = floating_value(b);
  const size_t other = b.input(b.value(x).dtype(), b.value(x).shape());
  const Step next = random_step(b);
  const int64_t most = b.integer(0, 4);
  const double bound = b.number();
  const bool is_by_value = b.chance(0.4), has_bound = b.chance(0.7);
  return b.attempt({x, other}, [=](Operands v) -> Tensors {
    const auto goes_on = [&](const std::vector<Tensor>& state) {
      const Tensor counted = less(state[0], most);
      return is_by_value ? logical_and(counted, less(mean(state[1]), bound)) : counted;
    };
    const auto body = [&](const std::vector<Tensor>& state) {
      return std::vector<Tensor>{add(state[0], 1), next(state[1], v[1])};
    };
    const std::vector<Tensor> first = {zeros({}, i64), v[0]};
    const WhileOptions options{.max_steps = has_bound ? most : -1};
    return {while_loop(goes_on, body, first, options)[1]};
  });
}

}  // namespace

bool add_control(GraphBuilder& b, ops::Control control) {
  switch (control) {
    case ops::Control::none: return false;
    case ops::Control::cond: return add_cond(b);
    case ops::Control::scan: return add_scan(b);
    case ops::Control::while_loop: return add_while(b);
  }
  return false;
}

}  // namespace ridge::fuzz

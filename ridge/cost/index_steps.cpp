#include "ridge/cost/index_steps.h"

#include <algorithm>
#include <cstdlib>
#include <unordered_map>

#include "ridge/expr/evaluate.h"
#include "ridge/expr/expr.h"

namespace ridge::cost {

using expr::Expr;
using expr::Function;
using expr::Kind;

bool holds_load(const Expr& e) {
  bool result = false;
  expr::walk(e, [&](const Expr& node) { result |= node->kind == Kind::load; });
  return result;
}

bool holds_axis(const Expr& e, int axis) {
  bool result = false;
  expr::walk(e,
             [&](const Expr& node) { result |= node->kind == Kind::axis && node->index == axis; });
  return result;
}

int64_t value_at(const Expr& e, const std::map<int, int64_t>& places,
                 std::span<const int64_t> sizes) {
  expr::Leaves leaves;
  leaves.axis = [&](int i) {
    const auto found = places.find(i);
    return expr::Number::of(found == places.end() ? int64_t{0} : found->second);
  };
  leaves.param = [&](int i) { return expr::Number::of(sizes[static_cast<size_t>(i)]); };
  leaves.input = [](int) { return expr::Number::of(int64_t{0}); };
  leaves.load = [](int, std::span<const int64_t>) { return expr::Number::of(int64_t{0}); };
  return expr::evaluate(e, leaves).as_integer();
}

std::vector<AxisStep> steps_of(const Expr& index, std::span<const AroundLoop> around,
                               std::span<const int64_t> sizes, AxisSet random) {
  std::vector<AxisStep> steps;
  const int64_t first = value_at(index, {}, sizes);
  for (const AroundLoop& loop : around) {
    const bool is_random = (random & axis_bit(loop.axis)) != 0;
    if (loop.trips <= 1 || !(is_random || holds_axis(index, loop.axis))) continue;
    const int64_t second = value_at(index, {{loop.axis, 1}}, sizes);
    const int64_t last = value_at(index, {{loop.axis, loop.last()}}, sizes);
    const int64_t of_warp =
        value_at(index, {{loop.axis, std::min<int64_t>(31, loop.last())}}, sizes);
    steps.push_back({loop.axis, loop.trips, std::abs(second - first), std::abs(last - first),
                     is_random, std::abs(of_warp - first)});
  }
  return steps;
}

void count_functions(const Expr& e, Operations& operations,
                     const std::function<void(const Expr&)>& on_load) {
  std::unordered_map<const expr::Node*, int> uses;
  std::vector<Expr> open{e}, nodes;
  while (!open.empty()) {
    const Expr node = open.back();
    open.pop_back();
    if (uses[node.get()]++ > 0) continue;
    nodes.push_back(node);
    if (node->kind == Kind::load) {
      on_load(node);
      // The arithmetic of an index is mostly scalar; what it looks up is not.
      const bool looks_up = std::any_of(node->args.begin(), node->args.end(), holds_load);
      if (!looks_up) continue;
    }
    for (const Expr& arg : node->args) open.push_back(arg);
  }
  for (const Expr& node : nodes) {
    if (node->kind != Kind::call) continue;
    ++operations.calls[static_cast<size_t>(node->function)];
    if (node->function != Function::add && node->function != Function::sub) continue;
    const bool has_product = std::any_of(
        node->args.begin(), node->args.end(),
        [&](const Expr& arg) { return is_call(arg, Function::mul) && uses[arg.get()] == 1; });
    operations.fused += has_product ? 1 : 0;
  }
}

}  // namespace ridge::cost

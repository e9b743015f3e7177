#include "ridge/expr/real_range.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <vector>

namespace ridge::expr {
namespace {

RealRange hull(const RealRange& a, const RealRange& b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

// Only where all ends are finite: 0 * inf says nothing.
RealRange product(const RealRange& a, const RealRange& b) {
  const double ends[] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
  if (std::ranges::any_of(ends, [](double end) { return !std::isfinite(end); })) return {};
  return {*std::ranges::min_element(ends), *std::ranges::max_element(ends)};
}

}  // namespace

RealRange range_of_call(Function function, std::span<const RealRange> arguments) {
  const RealRange a = arguments[0];
  const RealRange b = arguments.size() > 1 ? arguments[1] : RealRange{};
  const bool is_wave = function == Function::sin || function == Function::cos;
  const bool is_sigmoid =
      function == Function::tanh || function == Function::erf || function == Function::sign;
  if (is_wave || is_sigmoid) return {-1, 1};
  if (function == Function::neg) return {-a.high, -a.low};
  if (function == Function::min) return {std::min(a.low, b.low), std::min(a.high, b.high)};
  if (function == Function::max) return {std::max(a.low, b.low), std::max(a.high, b.high)};
  if (function == Function::abs) return {0, std::max(std::fabs(a.low), std::fabs(a.high))};
  if (function == Function::exp) return {.low = 0};
  if (function == Function::select) return hull(b, arguments[2]);
  if (function == Function::mul) return product(a, b);
  return {};
}

RealRange real_range(const Expr& e, const std::function<RealRange(int)>& of_input) {
  std::unordered_map<const Node*, RealRange> known;
  walk(e, [&](const Expr& node) {
    RealRange& range = known[node.get()];
    if (node->kind == Kind::constant) {
      const double value =
          node->type == Type::real ? node->real : static_cast<double>(node->integer);
      range = {value, value};
    } else if (node->kind == Kind::input) {
      range = of_input(node->index);
    } else if (node->kind == Kind::call && node->type == Type::real) {
      std::vector<RealRange> arguments;
      for (const Expr& arg : node->args) arguments.push_back(known[arg.get()]);
      range = range_of_call(node->function, arguments);
    }
  });
  return known[e.get()];
}

}  // namespace ridge::expr

#include "ridge/mapping/passes/rewritten.h"

#include <algorithm>

#include "ridge/base/text.h"
#include "ridge/expr/simplify.h"

namespace ridge::mapping {

Expr replaced(const Expr& e, const Replacement& axes, const Replacement& params) {
  return expr::simplify(expr::transform(e, [&](const Expr& node) {
    Expr other;
    if (node->kind == expr::Kind::axis && axes) other = axes(node->index);
    if (node->kind == expr::Kind::param && params) other = params(node->index);
    return other.get() != nullptr ? other : node;
  }));
}

bool mentions_axis(const Expr& e, int axis) {
  bool found = false;
  expr::walk(
      e, [&](const Expr& node) { found |= node->kind == expr::Kind::axis && node->index == axis; });
  return found;
}

bool is_same(const Expr& a, const Expr& b) {
  return expr::same(expr::simplify(a), expr::simplify(b));
}

Names::Names(const loop::Kernel& kernel) : taken_(kernel.sizes) {
  taken_.insert(taken_.end(), kernel.tile_sizes.begin(), kernel.tile_sizes.end());
  for (const loop::Buffer& buffer : kernel.buffers) taken_.push_back(buffer.name);
}

std::string Names::unused(std::string wanted) {
  const std::string stem = wanted;
  for (int i = 2; std::ranges::find(taken_, wanted) != taken_.end(); ++i) {
    wanted = concat(stem, i);
  }
  taken_.push_back(wanted);
  return wanted;
}

}  // namespace ridge::mapping

#include "ridge/driver/bound_plan.h"

#include <algorithm>

namespace ridge::driver {

PlanBinder::PlanBinder(const schedule::Plan& plan, const expr::Symbols& symbols) : plan_(plan) {
  for (const schedule::PlannedBuffer& buffer : plan.buffers) {
    std::vector<Term>& shape = shapes_.emplace_back();
    for (const Size& size : buffer.shape) shape.push_back(term_of(size.expression(), symbols));
  }
  for (const schedule::KernelCall& call : plan.calls) {
    std::vector<Term>& sizes = sizes_.emplace_back();
    for (const expr::Expr& size : call.sizes) sizes.push_back(term_of(size, symbols));
    bytes_.push_back(term_of(call.bytes.expression(), symbols));
  }
}

PlanBinder::Term PlanBinder::term_of(const expr::Expr& e, const expr::Symbols& symbols) {
  if (expr::is_constant(e)) return {.number = e->integer};
  const auto found = std::ranges::find_if(
      expressions_, [&](const expr::Expr& known) { return expr::same(known, e); });
  const auto position = static_cast<int>(found - expressions_.begin());
  if (found == expressions_.end()) {
    expressions_.push_back(e);
    formulas_.emplace_back(e, symbols);
  }
  return {.formula = position};
}

BoundPlan PlanBinder::bind(std::span<const int64_t> values) const {
  std::vector<int64_t> results;
  for (const expr::Formula& formula : formulas_) results.push_back(formula(values));
  BoundPlan bound;
  std::vector<int64_t> buffer_bytes;
  for (size_t i = 0; i < shapes_.size(); ++i) {
    Shape& shape = bound.shapes.emplace_back();
    for (const Term& term : shapes_[i]) shape.push_back(value_of(term, results));
    const int64_t elements = numel(shape).value();
    buffer_bytes.push_back(static_cast<int64_t>(bytes_for(plan_.buffers[i].dtype, elements)));
  }
  for (const std::vector<Term>& call : sizes_) {
    std::vector<int64_t>& sizes = bound.sizes.emplace_back();
    for (const Term& term : call) sizes.push_back(value_of(term, results));
  }
  for (const Term& term : bytes_) bound.bytes += value_of(term, results);
  const schedule::ArenaLayout layout = schedule::lay_out(plan_.arena, buffer_bytes);
  for (size_t i = 0; i < layout.offsets.size(); ++i) {
    if (layout.offsets[i] >= 0) bound.places.push_back({i, layout.offsets[i]});
  }
  bound.arena_bytes = layout.bytes;
  return bound;
}

}  // namespace ridge::driver

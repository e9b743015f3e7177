#include "ridge/execute/bound_plan.h"

#include <algorithm>
#include <map>

#include "ridge/base/text.h"

namespace ridge::execute {

PlanBinder::PlanBinder(const ExecutablePlan& plan) : plan_(plan) {
  for (const ExecutableBuffer& buffer : plan.buffers) {
    std::vector<Term>& shape = shapes_.emplace_back();
    for (const Size& size : buffer.shape) shape.push_back(term_of(size.expression()));
  }
  for (const ExecutableCall& call : plan.calls) {
    std::vector<Term>& sizes = sizes_.emplace_back();
    for (const expr::Expr& size : call.sizes) sizes.push_back(term_of(size));
    bytes_.push_back(term_of(call.bytes.expression()));
  }
}

PlanBinder::Term PlanBinder::term_of(const expr::Expr& e) {
  if (expr::is_constant(e)) return {.number = e->integer};
  const auto found = std::ranges::find_if(
      expressions_, [&](const expr::Expr& known) { return expr::same(known, e); });
  const auto position = static_cast<int>(found - expressions_.begin());
  if (found == expressions_.end()) {
    expressions_.push_back(e);
    formulas_.emplace_back(e, plan_.symbols);
  }
  return {.formula = position};
}

BoundPlan PlanBinder::bind(std::span<const int64_t> values) const {
  std::vector<int64_t> results;
  for (const expr::Formula& formula : formulas_) results.push_back(formula(values));
  BoundPlan bound;
  std::vector<int64_t> buffer_bytes;
  // Each length of a cache is bound once, between two tokens.
  bound.shapes.reserve(shapes_.size());
  buffer_bytes.reserve(shapes_.size());
  bound.sizes.reserve(sizes_.size());
  for (size_t i = 0; i < shapes_.size(); ++i) {
    Shape& shape = bound.shapes.emplace_back();
    for (const Term& term : shapes_[i]) shape.push_back(value_of(term, results));
    const int64_t elements = numel(shape).value();
    buffer_bytes.push_back(static_cast<int64_t>(bytes_for(plan_.buffers[i].dtype, elements)));
  }
  for (const std::vector<Term>& call : sizes_) {
    std::vector<int64_t>& sizes = bound.sizes.emplace_back();
    sizes.reserve(call.size());
    for (const Term& term : call) sizes.push_back(value_of(term, results));
  }
  for (const Term& term : bytes_) bound.bytes += value_of(term, results);
  const ArenaLayout layout = lay_out(plan_.arena, buffer_bytes);
  for (size_t i = 0; i < layout.offsets.size(); ++i) {
    if (layout.offsets[i] >= 0) bound.places.push_back({i, layout.offsets[i]});
  }
  bound.arena_bytes = layout.bytes;
  return bound;
}

std::vector<int64_t> symbol_values(const ExecutablePlan& plan,
                                   std::span<const Tensor* const> inputs) {
  std::map<uint64_t, int64_t> found;
  for (size_t i = 0; i < plan.input_shapes.size(); ++i) {
    const Shape& shape = plan.input_shapes[i];
    for (size_t dim = 0; dim < shape.size(); ++dim) {
      if (!shape[dim].is_symbolic()) continue;
      const expr::Expr e = shape[dim].expression();
      if (e->kind == expr::Kind::symbol) {
        found.emplace(e->symbol->id(), inputs[i]->shape()[dim].value());
      }
    }
  }
  std::vector<int64_t> values;
  for (const auto& symbol : plan.symbols) {
    const auto value = found.find(symbol->id());
    RIDGE_INTERNAL_CHECK(value != found.end(),
                         concat("no input of ", plan.name, " has the size ", symbol->name()));
    values.push_back(value->second);
  }
  return values;
}

}  // namespace ridge::execute

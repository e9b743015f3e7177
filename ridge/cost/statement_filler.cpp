#include "ridge/cost/statement_filler.h"

#include "ridge/cost/tuning.h"

namespace ridge::cost {

using expr::Expr;
using expr::Kind;
using loop::Place;

AxisSet StatementFiller::read_along(const Expr& e) const {
  AxisSet axes;
  expr::walk(e, [&](const Expr& node) {
    if (node->kind == Kind::input) axes |= read_along_[static_cast<size_t>(node->index)];
    if (node->kind != Kind::load) return;
    expr::walk(node->args[0], [&](const Expr& inner) {
      if (inner->kind == Kind::axis) axes.add(inner->index);
    });
  });
  return axes;
}

void StatementFiller::add_access(Block& block, int buffer, const Expr& index, bool is_store) {
  const loop::Buffer& b = kernel_.buffers[static_cast<size_t>(buffer)];
  filler_.add_access(block,
                     {.buffer = buffer,
                      .is_store = is_store,
                      .elements = static_cast<double>(value_at(b.elements, {}, sizes_)),
                      .steps = {},
                      .dtype = b.dtype,
                      .space = b.space},
                     index, read_along(index));
}

void StatementFiller::add_value(Block& block, const Expr& e, DType dtype, DType arithmetic,
                                const ValueFacts& facts) {
  const auto on_load = [&](const Expr& load) {
    add_access(block, load->index, load->args[0], false);
  };
  filler_.add_value(block, e, dtype, arithmetic, on_load, facts);
}

void StatementFiller::add_let(Block& block, const loop::Let& let) {
  read_along_[static_cast<size_t>(let.value)] = read_along(let.expression);
  add_value(block, let.expression, dtype_of(let.value), let.arithmetic, known_.facts_of(let));
  kept_bytes_ += sizeof(float) * known_.kept_in(let) * trips_of_thread();
  known_.define(let);
  block.operations.conversions += let.rounds ? 1 : 0;
}

void StatementFiller::add_condition(Block& block, const Expr& condition) {
  bool is_index = true;
  expr::walk(condition, [&](const Expr& node) {
    is_index &= node->kind != expr::Kind::load && node->kind != expr::Kind::input;
  });
  if (!is_index) return add_value(block, condition, boolean, f32);
  expr::walk(condition, [&](const Expr& node) {
    if (node->kind != expr::Kind::call || node->type != expr::Type::boolean) return;
    ++block.operations.calls[static_cast<size_t>(node->function)];
  });
}

void StatementFiller::add_statement(Block& block, const loop::Statement& statement) {
  if (const auto* let = std::get_if<loop::Let>(&statement.kind)) {
    add_let(block, *let);
  } else if (const auto* assign = std::get_if<loop::Assign>(&statement.kind)) {
    add_value(block, assign->expression, dtype_of(assign->value), assign->arithmetic);
    known_.change(assign->value);
  } else if (const auto* reduce = std::get_if<loop::Reduce>(&statement.kind)) {
    filler_.add_reduction(block, reduce->combine, dtype_of(reduce->value));
    known_.change(reduce->value);
  } else if (const auto* store = std::get_if<loop::Store>(&statement.kind)) {
    add_access(block, store->buffer, store->index, true);
  } else if (const auto* stage = std::get_if<loop::Stage>(&statement.kind)) {
    add_access(block, stage->from, stage->from_index, false);
    add_access(block, stage->buffer, stage->index, true);
  } else if (const auto* across = std::get_if<loop::Across>(&statement.kind)) {
    filler_.add_across(block, across->combine, dtype_of(across->value), threads_of(*across));
    block.operations.cluster_barriers += across->scope == Place::cluster ? 1 : 0;
    known_.combine(across->value);
  } else if (std::holds_alternative<loop::Barrier>(statement.kind)) {
    ++block.operations.barriers;
  }
}

double StatementFiller::trips_of_thread() const {
  double trips = 1;
  for (const AroundLoop& loop : filler_.around) {
    if (loop.place == Place::serial || loop.place == Place::vector) trips *= loop.trips;
  }
  return trips;
}

double StatementFiller::threads_of(const loop::Across& across) const {
  if (across.threads > 0) return across.threads;
  if (across.scope == Place::lane) return tuning::kWarp;
  double threads = 1;
  for (const AroundLoop& loop : filler_.around) {
    const bool is_in_block = loop.place == Place::block || loop.place == Place::lane;
    const bool is_in_cluster = loop.place == Place::cluster && across.scope == Place::cluster;
    if (is_in_block || is_in_cluster) threads *= loop.trips;
  }
  return threads;
}

}  // namespace ridge::cost

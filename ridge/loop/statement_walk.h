// Walks over the statements of a kernel and their expressions.
#pragma once

#include <variant>

#include "ridge/loop/loop.h"

namespace ridge::loop {

// The statement as one of that kind; null if it is another.
template <class Kind>
const Kind* as(const Statement& statement) {
  return std::get_if<Kind>(&statement.kind);
}

inline bool is_tile_statement(const Statement& statement) {
  return std::visit([]<class Kind>(const Kind&) { return TileStatement<Kind>; }, statement.kind);
}

// The statements inside of a statement; null if none can be.
inline const Body* body_of(const Statement& statement) {
  return std::visit(
      [](const auto& kind) -> const Body* {
        if constexpr (requires { kind.body; }) return &kind.body;
        if constexpr (requires { kind.then; }) return &kind.then;
        return nullptr;
      },
      statement.kind);
}

// A statement, or all of a body, with those inside of them, in order.
template <class Visit>
void for_each_statement(const Body& body, const Visit& visit);

template <class Visit>
void for_each_statement(const Statement& statement, const Visit& visit) {
  visit(statement);
  if (const Body* const inner = body_of(statement)) for_each_statement(*inner, visit);
}
template <class Visit>
void for_each_statement(const Body& body, const Visit& visit) {
  for (const Statement& statement : body) for_each_statement(statement, visit);
}

// The expressions of one statement, without those of the statements inside. Limits and offsets of tiles
// that are not there are left out.
template <class Visit>
void for_each_expression(const Statement& statement, const Visit& visit) {
  const auto visit_if = [&](const Expr& e) {
    if (e.get() != nullptr) visit(e);
  };
  const auto visit_part = [&](const TilePart& part) {
    visit_if(part.row);
    visit_if(part.column);
  };
  const auto visit_limits = [&](const TileLimits& limits) {
    visit_if(limits.rows);
    visit_if(limits.columns);
  };
  if (const auto* const inner = std::get_if<Loop>(&statement.kind)) {
    visit(inner->extent);
  } else if (const auto* const branch = std::get_if<If>(&statement.kind)) {
    visit(branch->condition);
  } else if (const auto* const let = std::get_if<Let>(&statement.kind)) {
    visit(let->expression);
  } else if (const auto* const var = std::get_if<Var>(&statement.kind)) {
    visit(var->initial);
  } else if (const auto* const assign = std::get_if<Assign>(&statement.kind)) {
    visit(assign->expression);
  } else if (const auto* const store = std::get_if<Store>(&statement.kind)) {
    visit(store->index);
  } else if (const auto* const async = std::get_if<AsyncCopy>(&statement.kind)) {
    visit(async->index);
    visit(async->from_index);
  } else if (const auto* const bulk = std::get_if<BulkCopy>(&statement.kind)) {
    visit(bulk->first);
    visit(bulk->count);
  } else if (const auto* const c = std::get_if<Contract>(&statement.kind)) {
    for (const Expr* e : {&c->m_extent, &c->n_extent, &c->k_extent, &c->lhs, &c->rhs}) visit(*e);
  } else if (const auto* const fill = std::get_if<FillTile>(&statement.kind)) {
    visit_if(fill->value);
  } else if (const auto* const dot = std::get_if<Dot>(&statement.kind)) {
    visit_part(dot->lhs);
    visit_part(dot->rhs);
  } else if (const auto* const move = std::get_if<MoveTile>(&statement.kind)) {
    visit_part(move->from);
  } else if (const auto* const tiles = std::get_if<TileLoop>(&statement.kind)) {
    for (const Expr& extent : tiles->extents) visit(extent);
    visit_if(tiles->from);
  } else if (const auto* const skip = std::get_if<SkipSlots>(&statement.kind)) {
    visit(skip->count);
  } else if (const auto* const copy = std::get_if<CopyTile>(&statement.kind)) {
    for (const Expr& at : copy->at) visit(at);
  } else if (const auto* const load = std::get_if<LoadTile>(&statement.kind)) {
    visit(load->element);
    visit_limits(load->limits);
  } else if (const auto* const stored = std::get_if<StoreTile>(&statement.kind)) {
    visit(stored->index);
    visit_limits(stored->limits);
  } else if (const auto* const each = std::get_if<EachElement>(&statement.kind)) {
    visit_limits(each->limits);
  } else if (const auto* const fold = std::get_if<FoldTile>(&statement.kind)) {
    visit_limits(fold->limits);
  }
}

}  // namespace ridge::loop

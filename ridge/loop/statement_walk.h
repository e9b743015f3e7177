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

// A statement, or all of a body, with those inside of them, in order.
template <class Visit>
void for_each_statement(const Body& body, const Visit& visit);

template <class Visit>
void for_each_statement(const Statement& statement, const Visit& visit) {
  visit(statement);
  if (const auto* const inner = std::get_if<Loop>(&statement.kind)) {
    for_each_statement(inner->body, visit);
  } else if (const auto* const branch = std::get_if<If>(&statement.kind)) {
    for_each_statement(branch->then, visit);
  } else if (const auto* const contract = std::get_if<Contract>(&statement.kind)) {
    for_each_statement(contract->body, visit);
  }
}
template <class Visit>
void for_each_statement(const Body& body, const Visit& visit) {
  for (const Statement& statement : body) for_each_statement(statement, visit);
}

// The expressions of one statement, without those of the statements inside.
template <class Visit>
void for_each_expression(const Statement& statement, const Visit& visit) {
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
  }
}

}  // namespace ridge::loop

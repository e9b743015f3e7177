#include "ridge/codegen/cuda/tiles_body_copy.h"

#include "ridge/base/error.h"
#include "ridge/loop/statement_walk.h"

namespace ridge::codegen::cuda {
namespace {

using loop::as;
using loop::Body;
using loop::Expr;

void rename_axis(loop::Statement& statement, int from, int to) {
  loop::for_each_statement(statement, [&](const loop::Statement& inner) {
    loop::for_each_expression(inner, [&](const Expr& e) {
      const_cast<Expr&>(e) = expr::transform(e, [&](const Expr& node) {
        return node->kind == expr::Kind::axis && node->index == from ? expr::axis(to) : node;
      });
    });
  });
}

}  // namespace

Expr BodyCopier::copied(const Expr& e) const {
  return expr::transform(e, [&](const Expr& node) -> Expr {
    if (node->kind == expr::Kind::axis && node->index == row_) return place_.row;
    if (node->kind == expr::Kind::axis && node->index == column_) return place_.column;
    if (node->kind != expr::Kind::input) return node;
    const auto found = values_.find(node->index);
    return found == values_.end() ? node : expr::input(found->second, node->type);
  });
}
Body BodyCopier::copied(const Body& body) {
  Body result;
  for (const loop::Statement& statement : body) result.push_back(copied(statement));
  return result;
}

int BodyCopier::value(int old) const {
  const auto found = values_.find(old);
  return found == values_.end() ? old : found->second;
}
int BodyCopier::define(int old) {
  out_.kernel.values.push_back(out_.kernel.values[static_cast<size_t>(old)]);
  return values_[old] = static_cast<int>(out_.kernel.values.size()) - 1;
}

loop::Statement BodyCopier::copied(const loop::Statement& statement) {
  if (const auto* const read = as<loop::ReadElement>(statement)) {
    const int buffer = out_.buffers[static_cast<size_t>(read->tile)];
    const Expr element = expr::load(buffer, expr::Type::real, {index_(read->tile, place_)});
    return {loop::Let{.value = define(read->value), .arithmetic = f32, .expression = element}};
  }
  if (const auto* const write = as<loop::WriteElement>(statement)) {
    return {loop::Store{.buffer = out_.buffers[static_cast<size_t>(write->tile)],
                        .index = index_(write->tile, place_),
                        .value = value(write->value)}};
  }
  if (const auto* const let = as<loop::Let>(statement)) {
    loop::Let copy = *let;
    copy.expression = copied(let->expression);
    copy.value = define(let->value);
    return {copy};
  }
  if (const auto* const var = as<loop::Var>(statement)) {
    const Expr initial = copied(var->initial);
    return {loop::Var{define(var->value), initial}};
  }
  if (const auto* const assign = as<loop::Assign>(statement)) {
    return {loop::Assign{value(assign->value), assign->arithmetic, copied(assign->expression)}};
  }
  if (const auto* const reduce = as<loop::Reduce>(statement)) {
    return {loop::Reduce{value(reduce->value), reduce->combine, value(reduce->operand)}};
  }
  if (const auto* const store = as<loop::Store>(statement)) {
    return {loop::Store{store->buffer, copied(store->index), value(store->value)}};
  }
  if (const auto* const branch = as<loop::If>(statement)) {
    const Expr condition = copied(branch->condition);
    return {loop::If{condition, copied(branch->then), branch->inverse_probability}};
  }
  const auto* const inner = as<loop::Loop>(statement);
  RIDGE_INTERNAL_CHECK(inner != nullptr, "a body of elements holds scalar statements alone");
  return copied(*inner);
}

loop::Statement BodyCopier::copied(const loop::Loop& inner) {
  const int axis = out_.kernel.axis_count++;
  loop::Loop copy{.axis = axis, .extent = copied(inner.extent), .body = {}};
  Body renamed = copied(inner.body);
  copy.body = std::move(renamed);
  for (loop::Statement& each : copy.body) rename_axis(each, inner.axis, axis);
  return {copy};
}

}  // namespace ridge::codegen::cuda

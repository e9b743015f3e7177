#include "ridge/schedule/gpu_row_rewrites.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <unordered_set>

#include "ridge/expr/walk.h"
#include "ridge/schedule/node_definition.h"

namespace ridge::schedule {

namespace {

using expr::Expr;
using expr::Kind;

void note_made(const loop::Body& body, std::unordered_set<int>& made) {
  for (const loop::Statement& statement : body) {
    if (const auto* loop = std::get_if<loop::Loop>(&statement.kind)) {
      note_made(loop->body, made);
    } else if (const auto* branch = std::get_if<loop::If>(&statement.kind)) {
      note_made(branch->then, made);
    } else if (const auto* let = std::get_if<loop::Let>(&statement.kind)) {
      made.insert(let->value);
    } else if (const auto* var = std::get_if<loop::Var>(&statement.kind)) {
      made.insert(var->value);
    }
  }
}

class HoistedLets {
 public:
  HoistedLets(const loop::Kernel& kernel, const loop::Body& body) : kernel_(kernel) {
    note_made(body, made_);
    for (const loop::Statement& statement : body) {
      const auto* let = std::get_if<loop::Let>(&statement.kind);
      if (let != nullptr && can_hoist(*let)) hoisted_.emplace(let->value, let);
    }
    for (const auto& [value, let] : hoisted_) {
      if (has_load(let->expression)) want(value);
    }
    hoisted_.clear();  // statements are about to move
  }

  // Hoisted to the start of the row; second are loads whose index is loaded there.
  bool is_first(const loop::Statement& statement) const { return is_in(first_, statement); }
  bool is_second(const loop::Statement& statement) const { return is_in(second_, statement); }

 private:
  static bool is_in(const std::unordered_set<int>& values, const loop::Statement& statement) {
    const auto* let = std::get_if<loop::Let>(&statement.kind);
    return let != nullptr && values.contains(let->value);
  }
  bool reads_answers(const loop::Let& let) const {
    bool result = false;
    expr::walk(let.expression, [&](const Expr& node) {
      if (node->kind != Kind::input || !hoisted_.contains(node->index)) return;
      const loop::Let& from = *hoisted_.at(node->index);
      result |= has_load(from.expression) || reads_answers(from);
    });
    return result;
  }

  // Made of nothing that the row computes, but for what is hoisted itself.
  bool can_hoist(const loop::Let& let) const {
    bool result = true;
    expr::walk(let.expression, [&](const Expr& node) {
      if (node->kind == Kind::input)
        result &= !made_.contains(node->index) || hoisted_.contains(node->index);
      if (node->kind == Kind::load) result &= is_only_read(node->index);
    });
    return result;
  }

  bool is_only_read(int buffer) const {
    const loop::Buffer& b = kernel_.buffers[static_cast<size_t>(buffer)];
    return b.space == loop::Space::global && b.access == loop::Access::in;
  }

  static bool has_load(const Expr& e) {
    bool result = false;
    expr::walk(e, [&](const Expr& node) { result |= node->kind == Kind::load; });
    return result;
  }

  void want(int value) {
    if (first_.contains(value) || second_.contains(value)) return;
    (reads_answers(*hoisted_.at(value)) ? second_ : first_).insert(value);
    expr::walk(hoisted_.at(value)->expression, [&](const Expr& node) {
      if (node->kind == Kind::input && hoisted_.contains(node->index)) want(node->index);
    });
  }

  const loop::Kernel& kernel_;
  std::unordered_set<int> made_, first_, second_;
  std::unordered_map<int, const loop::Let*> hoisted_;  // by value
};

}  // namespace

void hoist_loads(const loop::Kernel& kernel, loop::Body& body) {
  const HoistedLets lets(kernel, body);
  const auto passes = std::ranges::stable_partition(
      body, [&](const loop::Statement& statement) { return lets.is_first(statement); });
  const auto reduction = std::ranges::find_if(passes, [](const loop::Statement& statement) {
    return std::holds_alternative<loop::CollectiveReduce>(statement.kind);
  });
  // What is needed before a barrier stays where it is.
  if (reduction == passes.end()) return;
  std::stable_partition(reduction + 1, body.end(), [&](const loop::Statement& statement) {
    return lets.is_second(statement);
  });
}

namespace {

class RowAligner {
 public:
  RowAligner(const Emitter& emitter, const MisalignedRow& row)
      : emitter_(emitter),
        row_(row),
        row_axes_(axes_in(row.start)),
        start_(expr::floor_div(row.start, Expr(row.multiple)) * row.multiple) {}

  void run(loop::Body& body) const {
    for (loop::Statement& statement : body) {
      if (auto* const loop = std::get_if<loop::Loop>(&statement.kind)) {
        run(loop->body);
      } else if (auto* const branch = std::get_if<loop::If>(&statement.kind)) {
        run(branch->then);
      } else if (auto* const let = std::get_if<loop::Let>(&statement.kind)) {
        let->expression = with_loads(let->expression);
      } else if (auto* const store = std::get_if<loop::Store>(&statement.kind)) {
        store->index = aligned(store->index);
      }
    }
  }

 private:
  Expr with_loads(const Expr& e) const {
    return expr::transform(e, [&](const Expr& node) -> Expr {
      if (node->kind != expr::Kind::load) return node;
      return expr::with_args(node, {aligned(node->args[0])});
    });
  }

  // The rest of an address once the start of the row is taken away holds nothing of the row.
  Expr aligned(const Expr& index) const {
    const Expr rest = emitter_.simplified(index + row_.misalignment - row_.start);
    if ((axes_in(rest) & row_axes_) != 0) return index;
    return emitter_.simplified(start_) + rest;
  }

  const Emitter& emitter_;
  const MisalignedRow& row_;
  uint64_t row_axes_;
  Expr start_;
};

}  // namespace

void align_rows(const Emitter& emitter, loop::Body& body, const MisalignedRow& row) {
  RowAligner(emitter, row).run(body);
}

}  // namespace ridge::schedule

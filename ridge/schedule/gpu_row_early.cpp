#include "ridge/schedule/gpu_row_early.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <unordered_set>

#include "ridge/expr/walk.h"

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

class EarlyLets {
 public:
  EarlyLets(const loop::Kernel& kernel, const loop::Body& body) : kernel_(kernel) {
    note_made(body, made_);
    for (const loop::Statement& statement : body) {
      const auto* let = std::get_if<loop::Let>(&statement.kind);
      if (let != nullptr && can_be_early(*let)) early_.emplace(let->value, let);
    }
    for (const auto& [value, let] : early_) {
      if (has_load(let->expression)) want(value);
    }
  }

  bool is_wanted(const loop::Statement& statement) const {
    const auto* let = std::get_if<loop::Let>(&statement.kind);
    return let != nullptr && wanted_.contains(let->value);
  }

 private:
  // Made of nothing that the row computes, but for what is early itself.
  bool can_be_early(const loop::Let& let) const {
    bool result = true;
    expr::walk(let.expression, [&](const Expr& node) {
      if (node->kind == Kind::input)
        result &= !made_.contains(node->index) || early_.contains(node->index);
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
    if (!wanted_.insert(value).second) return;
    expr::walk(early_.at(value)->expression, [&](const Expr& node) {
      if (node->kind == Kind::input && early_.contains(node->index)) want(node->index);
    });
  }

  const loop::Kernel& kernel_;
  std::unordered_set<int> made_, wanted_;
  std::unordered_map<int, const loop::Let*> early_;  // by value
};

}  // namespace

void ask_early(const loop::Kernel& kernel, loop::Body& body) {
  const EarlyLets lets(kernel, body);
  std::ranges::stable_partition(
      body, [&](const loop::Statement& statement) { return lets.is_wanted(statement); });
}

}  // namespace ridge::schedule

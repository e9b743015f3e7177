// The bodies of `walk` and `transform` (declared in expr.h).
//
// Both keep their own stack, so a chain of any length is safe, and both remember nodes by
// address, so a subtree shared by many parents is visited once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "ridge/expr/expr.h"

namespace ridge::expr {

// Nodes by address, with something known of each. Most trees are small, and looking through a few
// addresses that lie together is quicker than any hashing; large ones are hashed.
template <class Known>
class NodeMap {
 public:
  // Null if it is not there.
  const Known* find(const Node* node) const {
    if (!large_.empty()) {
      const auto found = large_.find(node);
      return found == large_.end() ? nullptr : &found->second;
    }
    for (const auto& [known, value] : small_) {
      if (known == node) return &value;
    }
    return nullptr;
  }
  // Of a node that is not there yet.
  void add(const Node* node, Known value) {
    if (large_.empty() && small_.size() < kSmall) {
      small_.push_back({node, std::move(value)});
      return;
    }
    if (large_.empty()) {
      for (auto& [known, old] : small_) large_.emplace(known, std::move(old));
    }
    large_.emplace(node, std::move(value));
  }

 private:
  static constexpr size_t kSmall = 16;
  SmallVector<std::pair<const Node*, Known>, kSmall> small_;
  std::unordered_map<const Node*, Known> large_;
};

template <class Visit>
void walk(const Expr& e, Visit&& visit) {
  const Expr root = e;  // `visit` may overwrite the variable we were called with
  if (root->args.empty()) {
    visit(root);
    return;
  }
  struct Step {
    const Expr* e;
    size_t next_arg;
  };
  SmallVector<Step, 16> path = {{&root, 0}};
  NodeMap<std::monostate> seen;
  seen.add(root.get(), {});
  while (!path.empty()) {
    Step& step = path.back();
    const auto& args = (*step.e)->args;
    if (step.next_arg == args.size()) {
      visit(*step.e);
      path.pop_back();
      continue;
    }
    const Expr& arg = args[step.next_arg++];
    if (seen.find(arg.get()) != nullptr) continue;
    seen.add(arg.get(), {});
    path.push_back({&arg, 0});
  }
}

template <class Rewrite>
Expr transform(const Expr& e, Rewrite&& rewrite) {
  NodeMap<Expr> rewritten;
  Expr latest;
  walk(e, [&](const Expr& node) {
    const auto is_changed = [&](const Expr& arg) {
      return rewritten.find(arg.get())->get() != arg.get();
    };
    if (std::any_of(node->args.begin(), node->args.end(), is_changed)) {
      std::vector<Expr> args;
      args.reserve(node->args.size());
      for (const Expr& arg : node->args) args.push_back(*rewritten.find(arg.get()));
      latest = rewrite(with_args(node, std::move(args)));
    } else {
      latest = rewrite(node);
    }
    rewritten.add(node.get(), latest);
  });
  return latest;  // the root comes last
}

}  // namespace ridge::expr

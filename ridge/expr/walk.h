// The bodies of `walk` and `transform` (declared in expr.h).
//
// Both keep their own stack, so a chain of any length is safe, and both remember nodes by
// address, so a subtree shared by many parents is visited once.
#pragma once

#include <cstddef>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "ridge/expr/expr.h"

namespace ridge::expr {

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
  std::vector<Step> path = {{&root, 0}};
  std::unordered_set<const Node*> seen = {root.get()};
  while (!path.empty()) {
    Step& step = path.back();
    const auto& args = (*step.e)->args;
    if (step.next_arg == args.size()) {
      visit(*step.e);
      path.pop_back();
      continue;
    }
    const Expr& arg = args[step.next_arg++];
    if (seen.insert(arg.get()).second) path.push_back({&arg, 0});
  }
}

template <class Rewrite>
Expr transform(const Expr& e, Rewrite&& rewrite) {
  std::unordered_map<const Node*, Expr> rewritten;
  Expr latest;
  walk(e, [&](const Expr& node) {
    bool is_changed = false;
    std::vector<Expr> args;
    args.reserve(node->args.size());
    for (const Expr& arg : node->args) {
      args.push_back(rewritten.at(arg.get()));
      is_changed |= args.back().get() != arg.get();
    }
    latest = rewrite(is_changed ? with_args(node, std::move(args)) : node);
    rewritten.emplace(node.get(), latest);
  });
  return latest;  // the root comes last
}

}  // namespace ridge::expr

#include <set>
#include <utility>
#include <vector>

#include "ridge/expr/polynomial.h"
#include "ridge/expr/symbol.h"

namespace ridge::expr {
namespace {

std::strong_ordering compare_symbols(const Symbol* a, const Symbol* b) {
  if (a == b) return std::strong_ordering::equal;
  if (const auto names = a->name() <=> b->name(); names != 0) return names;
  return a->id() <=> b->id();
}

// Everything but the arguments.
std::strong_ordering compare_heads(const Node& a, const Node& b) {
  if (const auto order = a.kind <=> b.kind; order != 0) return order;
  if (const auto order = a.type <=> b.type; order != 0) return order;
  if (const auto order = a.function <=> b.function; order != 0) return order;
  if (const auto order = a.index <=> b.index; order != 0) return order;
  if (const auto order = a.integer <=> b.integer; order != 0) return order;
  if (const auto order = std::strong_order(a.real, b.real); order != 0) return order;
  if (const auto order = compare_symbols(a.symbol.get(), b.symbol.get()); order != 0) return order;
  return a.args.size() <=> b.args.size();
}

bool is_small(const Node& node) { return node.tree_size < Node::kLargestTree; }

// Of trees that are small enough to go through again where parts are shared, and to recurse into.
std::strong_ordering compare_small(const Node& a, const Node& b) {
  if (&a == &b) return std::strong_ordering::equal;
  if (const auto order = compare_heads(a, b); order != 0) return order;
  for (size_t i = 0; i < a.args.size(); ++i) {
    if (const auto order = compare_small(*a.args[i], *b.args[i]); order != 0) return order;
  }
  return std::strong_ordering::equal;
}

}  // namespace

std::strong_ordering compare(const Expr& a, const Expr& b) {
  if (a.get() == b.get()) return std::strong_ordering::equal;
  if (is_small(*a) && is_small(*b)) return compare_small(*a, *b);
  if (const auto order = compare_heads(*a, *b); order != 0 || a->args.empty()) return order;
  using Pair = std::pair<const Node*, const Node*>;
  std::vector<Pair> open = {{a.get(), b.get()}};
  std::set<Pair> found_equal;  // without it, trees with shared parts could take exponential time
  while (!open.empty()) {
    const auto [x, y] = open.back();
    open.pop_back();
    if (x == y) continue;
    if (const auto order = compare_heads(*x, *y); order != 0) return order;
    // Still open below, but a difference there ends the whole comparison.
    if (x->args.empty() || !found_equal.insert({x, y}).second) continue;
    for (size_t i = x->args.size(); i-- > 0;) open.emplace_back(x->args[i].get(), y->args[i].get());
  }
  return std::strong_ordering::equal;
}

bool same(const Expr& a, const Expr& b) {
  if (a.get() == b.get()) return true;
  return a->hash == b->hash && compare(a, b) == std::strong_ordering::equal;
}

}  // namespace ridge::expr

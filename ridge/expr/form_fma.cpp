#include <unordered_map>

#include "ridge/expr/simplify.h"

namespace ridge::expr {
namespace {

// How often each node is read, equal ones as one.
class ReadCounts {
 public:
  explicit ReadCounts(const Expr& e) {
    walk(e, [&](const Expr& node) {
      if (!is_seen_[node->hash]) {
        for (const Expr& arg : node->args) ++counts_[arg->hash];
      }
      is_seen_[node->hash] = true;
    });
  }
  int operator[](const Expr& e) const { return counts_.at(e->hash); }

 private:
  std::unordered_map<uint64_t, int> counts_;
  std::unordered_map<uint64_t, bool> is_seen_;
};

}  // namespace

Expr form_fma(const Expr& e) {
  if (!cpu_has_fma()) return e;
  const ReadCounts counts(e);
  const auto is_own_product = [&](const Expr& term) {
    return is_call(term, Function::mul) && term->type == Type::real && counts[term] == 1;
  };
  std::unordered_map<const Node*, Expr> made;
  walk(e, [&](const Expr& node) {
    const auto now = [&](const Expr& old) { return made.at(old.get()); };
    const bool is_difference = is_call(node, Function::sub);
    const bool is_sum = node->type == Type::real && (is_difference || is_call(node, Function::add));
    if (is_sum && is_own_product(node->args[0])) {
      const Expr& product = node->args[0];
      const Expr addend = now(node->args[1]);
      made[node.get()] =
          fma(now(product->args[0]), now(product->args[1]), is_difference ? -addend : addend);
    } else if (is_sum && is_own_product(node->args[1])) {
      const Expr& product = node->args[1];
      const Expr factor = now(product->args[0]);
      made[node.get()] =
          fma(is_difference ? -factor : factor, now(product->args[1]), now(node->args[0]));
    } else {
      std::vector<Expr> args;
      bool is_changed = false;
      for (const Expr& arg : node->args) {
        args.push_back(now(arg));
        is_changed |= args.back().get() != arg.get();
      }
      made[node.get()] = is_changed ? with_args(node, std::move(args)) : node;
    }
  });
  return made.at(e.get());
}

bool cpu_has_fma() {
#if defined(__x86_64__) || defined(__i386__)
  return __builtin_cpu_supports("fma") != 0;
#else
  return true;
#endif
}

}  // namespace ridge::expr

#include "ridge/reference/numbering.h"

#include <bit>
#include <unordered_map>

#include "ridge/expr/symbol.h"

namespace ridge::reference {

ValueId Numbering::add(const expr::Expr& root) {
  std::unordered_map<const expr::Node*, ValueId> number_of;
  expr::walk(root, [&](const expr::Expr& e) {
    SmallVector<ValueId, 3> args;
    for (const expr::Expr& arg : e->args) args.push_back(number_of.at(arg.get()));
    const auto next = static_cast<ValueId>(values_.size());
    const auto [known, is_new] = known_.emplace(identity_of(*e, args), next);
    if (is_new) values_.push_back({e, std::move(args)});
    number_of.emplace(e.get(), known->second);
  });
  return number_of.at(root.get());
}

Numbering::Identity Numbering::identity_of(const expr::Node& node, std::span<const ValueId> args) {
  Identity identity = {static_cast<int64_t>(node.kind),
                       static_cast<int64_t>(node.type),
                       static_cast<int64_t>(node.function),
                       node.index,
                       node.integer,
                       std::bit_cast<int64_t>(node.real),
                       node.symbol ? static_cast<int64_t>(node.symbol->id()) : 0};
  identity.insert(identity.end(), args.begin(), args.end());
  return identity;
}

}  // namespace ridge::reference

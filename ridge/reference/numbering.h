// The distinct values of some expressions, numbered so that arguments come before their users.
//
// Structurally equal nodes get one number, whether they are shared in memory or not:
//
//   x0[i0] * x0[i0]    ->    0: i0    1: x0[v0]    2: v1 * v1
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "ridge/expr/expr.h"

namespace ridge::reference {

using ValueId = uint32_t;

struct Value {
  expr::Expr e;
  SmallVector<ValueId, 3> args;
};

class Numbering {
 public:
  // Returns the number of the root, after numbering all below it that is new.
  ValueId add(const expr::Expr& root);
  std::span<const Value> values() const { return values_; }

 private:
  // All that two equal values agree on: what the node holds, then the numbers of its arguments.
  using Identity = std::vector<int64_t>;
  static Identity identity_of(const expr::Node& node, std::span<const ValueId> args);

  std::vector<Value> values_;
  std::map<Identity, ValueId> known_;
};

}  // namespace ridge::reference

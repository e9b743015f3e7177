// Intervals of many expressions under the same axis ranges, each computed once.
#pragma once

#include <unordered_map>

#include "ridge/expr/expr.h"
#include "ridge/expr/interval.h"

namespace ridge::expr {

class IntervalCache {
 public:
  explicit IntervalCache(AxisRanges axes) : axes_(std::move(axes)) {}

  Interval of(const Expr& e);

 private:
  struct Entry {
    Expr e;  // keeps the node alive, so that its address stays its own
    Interval interval;
  };
  Interval from_args(const Node& node) const;
  Interval of_arg(const Node& node, size_t i) const {
    return known_.at(node.args[i].get()).interval;
  }
  Interval of_call(const Node& node) const;

  AxisRanges axes_;
  std::unordered_map<const Node*, Entry> known_;
};

}  // namespace ridge::expr

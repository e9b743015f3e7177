// What is known about the values of expressions at one point of a kernel.
//
//   4 * i0 + i1, i0 in 64, i1 in 4     from 0 to 255; at i1 = 0 a multiple of 4
//   cos(x)                             from -1 to 1 (or NaN)
//
// From this follows which integers fit into 32 bits, which accesses are aligned, which divisors
// cannot be zero, and which arguments of sin and cos need no reduction.
#pragma once

#include <limits>
#include <unordered_map>

#include "ridge/codegen/cuda/generate.h"
#include "ridge/expr/interval.h"

namespace ridge::codegen::cuda {

using expr::Expr;
using expr::Interval;

struct ValueFact {
  Interval range{};                                       // of integers and booleans
  int64_t multiple = 1;                                   // a power of two that divides an integer
  double low = -std::numeric_limits<double>::infinity();  // of reals that are not NaN
  double high = std::numeric_limits<double>::infinity();
  bool is_index = false;  // made of axes, params and constants alone
};

bool fits_int32(const Interval& range);

class ValueRanges {
 public:
  ValueRanges(const loop::Kernel& kernel, const CudaTarget& target);

  // An axis that runs from 0 to below `extent`; `largest` bounds it in any case.
  void set_axis(int axis, const Expr& extent,
                int64_t largest = std::numeric_limits<int64_t>::max());
  void set_value(int value, const ValueFact& fact);
  const ValueFact& of(const Expr& e);

 private:
  ValueFact of_node(const expr::Node& node) const;
  ValueFact of_call(const expr::Node& node) const;
  void bound_real_call(const expr::Node& node, ValueFact& fact) const;
  const ValueFact& arg(const expr::Node& node, size_t i) const {
    return known_.at(node.args[i].get()).fact;
  }

  struct Entry {
    Expr e;  // keeps the node alive, so that its address stays its own
    ValueFact fact;
  };

  const loop::Kernel& kernel_;
  const CudaTarget& target_;
  std::vector<ValueFact> axes_;
  std::vector<ValueFact> values_;
  std::unordered_map<const expr::Node*, Entry> known_;
};

}  // namespace ridge::codegen::cuda

#include <limits>

#include "ridge/schedule/loops.h"

namespace ridge::schedule {

std::vector<int> passes_of(const InlinedGraph& program, const Group& group) {
  std::vector<int> pass(group.members.size(), 0);
  for (size_t i = 0; i < group.members.size(); ++i) {
    for (const Read& read : program.reads(group.members[i].node)) {
      const int32_t node = program.graph()[read.value].node;
      for (size_t j = 0; j < i; ++j) {
        if (group.members[j].node != node) continue;
        const bool is_reduction = !program.node_definition(node).is_map();
        pass[i] = std::max(pass[i], pass[j] + (is_reduction ? 1 : 0));
      }
    }
  }
  return pass;
}

loop::Combine combine_of(ops::Reducer reducer) {
  switch (reducer) {
    case ops::Reducer::sum: return loop::Combine::sum;
    case ops::Reducer::prod: return loop::Combine::prod;
    case ops::Reducer::max: return loop::Combine::max;
    case ops::Reducer::min: return loop::Combine::min;
    case ops::Reducer::any: return loop::Combine::any;
    case ops::Reducer::all: return loop::Combine::all;
    case ops::Reducer::none:
    case ops::Reducer::argmax:
    case ops::Reducer::argmin: break;
  }
  RIDGE_INTERNAL_CHECK(false, "not a reduction by one operation");
  return loop::Combine::sum;
}

bool gives_position(ops::Reducer reducer) {
  return reducer == ops::Reducer::argmax || reducer == ops::Reducer::argmin;
}

Expr identity_of(ops::Reducer reducer, DType dtype) {
  const bool is_real = is_floating(dtype);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const auto extremum = [&](bool is_lowest) -> Expr {
    if (is_real) return expr::constant(is_lowest ? -kInfinity : kInfinity);
    if (is_boolean(dtype)) return expr::constant(!is_lowest);
    return expr::constant(is_lowest ? std::numeric_limits<int64_t>::min()
                                    : std::numeric_limits<int64_t>::max());
  };
  switch (reducer) {
    case ops::Reducer::sum: return is_real ? expr::constant(0.0) : expr::constant(int64_t{0});
    case ops::Reducer::prod: return is_real ? expr::constant(1.0) : expr::constant(int64_t{1});
    case ops::Reducer::argmax:
    case ops::Reducer::max: return extremum(true);
    case ops::Reducer::argmin:
    case ops::Reducer::min: return extremum(false);
    case ops::Reducer::any: return expr::constant(false);
    case ops::Reducer::all: return expr::constant(true);
    case ops::Reducer::none: break;
  }
  RIDGE_INTERNAL_CHECK(false, "not a reduction");
  return {};
}

}  // namespace ridge::schedule

// Products that tests map, by the orders of their operands in memory.
#pragma once

#include "ridge/mapping/work.h"

namespace ridge::mapping {

// x * W^T: both operands contiguous along k, everything aligned.
inline ProductWork forward(double m, double n, double k) {
  return {.m = m, .n = n, .k = k, .results = {{}}};
}
// dY^T * X: both operands contiguous along the result.
inline ProductWork weight_gradient(double m, double n, double k) {
  ProductWork work = forward(m, n, k);
  work.lhs.is_k_contiguous = work.rhs.is_k_contiguous = false;
  return work;
}
// Rows of all three matrices start at any element.
inline ProductWork odd(double m, double n, double k) {
  ProductWork work = forward(m, n, k);
  work.lhs.alignment = work.rhs.alignment = work.results[0].alignment = 2;
  return work;
}

}  // namespace ridge::mapping

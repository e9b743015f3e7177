// Makes one op of a product and the sum that alone reads it, so that it is rounded once wherever it
// is computed. Nothing after this contracts anything: whether a value went through an FMA would
// depend on the kernel that computes it, and copies of it would differ in their last bits.
//
//   %2 = mul(%0, %1)
//   %3 = add(%2, %4)         ->     %3 = fma(%0, %1, %4)
//
// Not for a CPU that has no such instruction (expr::cpu_has_fma): the text of a kernel, and so its key in
// the cache, says which it is.
//
// a * b - c and c - a * b are sums with a negation, which is exact, of an operand that has the shape of the
// result; where none has, they stay apart. Both nodes must be of one phase
// and checkpoint, so that what gradients can keep stays what it was.
#pragma once

#include "ridge/graph/pass.h"

namespace ridge::graph {

Graph form_fma(Graph graph, const PassContext& context);

}  // namespace ridge::graph

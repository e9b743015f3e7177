// Ops that are another tensor but for some elements: what a write through a view leaves behind.
//
//   slice_scatter(x, from, 0, [2, 5])      element [i, j] of `from` stands at [2 + i, j] of the result,
//                                          and everything else is x
//
// Where x need not be kept, only those elements have to be written.
#pragma once

#include <vector>

#include "ridge/expr/expr.h"
#include "ridge/ops/call.h"

namespace ridge::ops {

// Where an element of operand 1 stands in the result, over axes of operand 1; nothing for an op that is
// not operand 0 elsewhere. Empty operands have no place either.
std::vector<expr::Expr> overwritten_position(const Call& call);

}  // namespace ridge::ops

// Chooses which forms of its functions serve for each value (core/function_forms.h).
//
//   e = exp(x - m)               a term of a sum, and a factor of 16 bits: `for exponent`
//   y = e * (1 / sum(e))         goes into 16 bits alone: `for half`
//   z = cast(y, bf16)
//   c = cos(cos(x))              the outer one has an argument between -1 and 1: `near`
//
// A value of 16 bits needs no more than 16 bits of its functions. So does one in f32 whose error is
// only ever one of a value of 16 bits, relative to its size. An exponential may be as inexact as the
// rounding of its argument makes it anyway, where it is a term of a sum or goes into 16 bits by plain
// arithmetic. All readers in the graph count, whichever kernel they end up in.
//
// Nodes whose forms are chosen keep them (Note [Bits] in graph.h); after this, those of all are.
#pragma once

#include "ridge/graph/pass.h"

namespace ridge::graph {

Graph choose_forms(Graph graph, const PassContext& context);

// Of a value whose readers are not known: an eager call.
FunctionForms forms_of_single_op(DType dtype, const expr::Expr& definition);

}  // namespace ridge::graph

// The passes over graphs, in the order in which they run (pass.h), each with what comes in and what goes out.
//
// A pass takes a graph and returns one that computes the same. The verifier of graph.h holds before and
// after each of them.
#pragma once

#include "ridge/core/tensor.h"
#include "ridge/dispatch/operator.h"
#include "ridge/graph/pass.h"
#include "ridge/ops/call.h"

namespace ridge::graph {

// Turns writes into values: the first pass of every program.
//
// Comes in: a graph as captured, with in-place forms, `assign_` and views. Goes out: a graph where no
// node writes and nothing aliases. A write through a view becomes a new value of what it is a view of
// (invert_view below), and whoever reads an alias later reads the view of that value. Inputs that
// were written to become `updates`. Outputs that alias inputs or each other are plain values: which
// results are views is known since the capture (capture/result_slots.h).
//
//   %1 = select(%0, 0, 1)  alias %0           %1 = slice(%0, 0, [1, 2])    %2 = reshape(%1, [4])
//   %2 = add_(%1, %1)      alias %1     ->    %3 = add(%2, %2)             %4 = reshape(%3, [1, 4])
//   return %0                                 %5 = slice_scatter(%0, %4, 0, [1, 2])
//                                             return %5        update %0 = %5
Graph functionalize(Graph graph, const PassContext& context);

// Replaces composite ops by what they are made of.
//
// Comes in: any graph. Goes out: the same computation in ops that have a body or a definition, and
// views. The parts keep the line and layer of the node they came from. In-place forms stay until `functionalize` has made values of them.
//
//   %1 = silu_of_sum(%0)      ->     %1 = add(%0, %0)
//                                    %2 = silu(%1)
Graph decompose(Graph graph, const PassContext& context);

// The nodes for which `is_expanded` holds, as their parts; parts that are composite in turn, as theirs
// where `expands` holds.
Graph expand_nodes(Graph graph, const std::function<bool(const Node&)>& is_expanded,
                   const std::function<bool(const dispatch::Operator&)>& expands);

// Is the op defined by a decomposition?
bool is_composite(const dispatch::Operator& op);

// Removes calls that change nothing, and merges chains of views.
//
// Only rewrites that keep every result bit for bit, whatever the values: x * 1 is x, and x + 0 is not,
// because -0 + 0 is 0. The rules stand as a table in simplify_algebra.cpp. A graph that writes is
// left alone.
//
//   %1 = permute(%0, [1, 0])
//   %2 = permute(%1, [1, 0])        ->     %1 = mul(%0, %0)
//   %3 = mul(%2, %0)
Graph simplify_algebra(Graph graph, const PassContext& context);

// Computes what depends on constants only, while compiling.
//
// A node whose tensor operands are all constants becomes constants, if its results are small (at most
// 64 elements) and of the type the node gives, so that promotion further on is as before. What cannot
// be computed, such as an index out of range, stays for the program to report. A graph that writes is
// left alone.
//
//   %1 = constant 2 : i64[] weak         %1 = constant 1.4142135 : f32[]
//   %2 = sqrt(%1) : f32[]           ->
Graph fold_constants(Graph graph, const PassContext& context);

// Computes what is computed twice only once.
//
// Comes in: a graph; one that writes is left alone, since equal calls may see different memory there.
// Goes out: no two nodes call one op on the same arguments, no two constants are equal. Draws of
// random numbers are equal only if they read the same state.
//
//   %1 = exp(%0)                    %1 = exp(%0)
//   %2 = exp(%0)             ->     %2 = add(%1, %1)
//   %3 = add(%1, %2)
Graph eliminate_duplicates(Graph graph, const PassContext& context);

// Removes nodes and constants that no output, update or write depends on.
//
//   %1 = exp(%0)                    %1 = neg(%0)
//   %2 = neg(%0)             ->     return %1
//   return %2
Graph eliminate_dead_code(Graph graph, const PassContext& context);

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
Graph form_fma(Graph graph, const PassContext& context);

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
Graph choose_forms(Graph graph, const PassContext& context);

// Of a value whose readers are not known: an eager call.
FunctionForms forms_of_single_op(DType dtype, const expr::Expr& definition);

// The inverse of a view: what it is a view of, after the view was written.
//
//   v = slice(x, 0, [1, 3])   written   ->   slice_scatter(x, v, 0, [1, 3])
//   v = permute(x, [1, 0])    written   ->   permute(v, [1, 0])
//
// `call` is the call of the view op on `base`; `value` is what the view holds now. Its elements are
// apart in memory, or the write would have been refused. Error{internal} for a view op without an
// inverse.
Tensor invert_view(const ops::Call& call, const Tensor& base, const Tensor& value);

// The op that a write through a detached view becomes. No user calls it, and its rule is not its
// derivative, so it is added at its first use, or when a text is read, and is none of the records that
// tests are made from.
const dispatch::Operator& keep_gradient();

}  // namespace ridge::graph

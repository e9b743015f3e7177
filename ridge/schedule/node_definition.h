// What a node computes, as the scheduler sees it: one definition over index expressions.
//
// Comes in: a node of a functional graph whose op has a body or a definition (after `decompose`).
// Goes out: its definition with attribute numbers filled in, its operands as values, and the dtypes
// the op's rule converts them to before the definition applies.
#pragma once

#include <span>
#include <vector>

#include "ridge/graph/graph.h"
#include "ridge/ops/definition.h"

namespace ridge::schedule {

using expr::Expr;
using graph::Graph;
using graph::ValueId;

struct NodeDefinition {
  ops::Definition definition;
  std::vector<ValueId> operands;  // by operand number; index -1 where left out
  SmallVector<DType, 4> compute;  // what each operand is converted to
  DType dtype;                    // of the result
  Shape shape;
  // Of an op that is operand 0 but for some elements: where those of operand 1 stand, over its axes.
  std::vector<Expr> overwrites{};
  // Set where only those are written, over a value that is in the same memory (write_in_place): the
  // definition is then over the axes of what is written, and this is where an element of it goes.
  std::vector<Expr> written{};
  ValueId over{};

  // Where the element computed at `axes` stands in the result.
  std::vector<Expr> position(const std::vector<Expr>& axes) const;

  bool is_map() const {
    return definition.reducer == ops::Reducer::none && !definition.is_scatter();
  }
  // One load and nothing else, without a change of dtype: the elements of operand `0` in another
  // arrangement. Reading it is reading that operand.
  bool is_view(const Graph& graph) const;
  // Points of the iteration space.
  Size points() const { return numel(definition.extents); }
};

// Without `fills_numbers` attributes stay params.
NodeDefinition define_node(const Graph& graph, const graph::Node& node, bool fills_numbers = true);
// Of every node.
std::vector<NodeDefinition> define_nodes(const Graph& graph);
// A node definition with the attributes its definition reads filled in.
NodeDefinition with_numbers(NodeDefinition node_definition, std::span<const dispatch::Arg> args);

// A load inside a definition. It is predicated if only one side of a select evaluates it and its
// position cannot be proven to lie inside the operand: then it must not be made anywhere else.
struct LoadSite {
  int operand;
  std::vector<Expr> position;
  bool is_predicated;
  bool is_indirect;  // the position depends on another load
};
// Of the value, the target and the initial value; each of them once.
std::vector<LoadSite> load_sites(const Graph& graph, const NodeDefinition& node_definition);

// Is the position inside `shape` wherever the axes are inside `extents`? False if not provable.
bool is_in_range(std::span<const Expr> position, const Shape& shape, const Shape& extents);

// e with axis(i) replaced by axes[i].
Expr substitute_axes(const Expr& e, const std::vector<Expr>& axes);
bool has_load(const Expr& e);
// Which axes occur, as a bit set (at most 64 of them).
uint64_t axes_in(const Expr& e);

// Inputs of which a program writes a part: only that part is touched.
//
//   update %0 = slice_scatter(%0, %1, 0, [2, 3])     becomes a kernel over %1, which it stores into
//                                                    row 2 of the memory of %0
//
// Comes in: the definitions of a graph's nodes. Goes out: those of a chain of partial writes that starts
// at an input and ends as its update are changed: each is a map over what is written, stored at
// `NodeDefinition::written`, in the memory of the value before it in the chain (`NodeDefinition::over`). A write
// through views of views is one part of the input, not a part of a part that is read and written whole.
//
// That is right only if nobody reads a value of the chain after the next one is written; the memory
// planner knows the order and refuses the input where it is not so (MemoryPlan::refused).

// `refused`: inputs whose memory is not written before the end.
void write_in_place(const Graph& graph, std::vector<NodeDefinition>& node_definitions,
                    const std::vector<ValueId>& refused);

}  // namespace ridge::schedule

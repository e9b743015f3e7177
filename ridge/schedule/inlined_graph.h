// Which nodes get no kernel and no memory of their own, and what the others read.
//
// A node is *inlined* if its value is recomputed where it is read: views always, pointwise work when
// that costs no more than it saves. The others are *roots*; each is computed once, in some kernel.
// The reads of a root are those of its definition, through whatever is inlined into it.
//
//   c = x + b        inlined: read once, at as many points as it has elements
//   s = sum(c, 1)    root: reads x at [i0, i1] and b at [i1]
//
// What makes one number of several reductions of a row stays with the rows, though a sum over the
// rows is all that reads it: one array goes through memory in place of several.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "ridge/schedule/node_definition.h"

namespace ridge::schedule {

struct Read {
  ValueId value;               // an input, a constant or the result of a root
  std::vector<Expr> position;  // over the axes of the reading root
  bool is_predicated;
  bool is_indirect;
};

class InlinedGraph {
 public:
  // Without `inlines` only views are inlined: every node that computes is a root. So is each node of
  // `unfused`.
  explicit InlinedGraph(const Graph& graph, bool inlines = true,
                        std::span<const int32_t> unfused = {});
  // With the definitions given, one for each node, where they do not follow from the op's rules: eager
  // calls, and values that are written in place, which are kept (write_in_place in node_definition.h).
  InlinedGraph(const Graph& graph, std::vector<NodeDefinition> node_definitions,
               bool inlines = true, std::span<const int32_t> unfused = {});

  const Graph& graph() const { return graph_; }
  const NodeDefinition& node_definition(int32_t node) const {
    return node_definitions_[static_cast<size_t>(node)];
  }
  bool is_inlined(int32_t node) const { return is_inlined_[static_cast<size_t>(node)]; }
  // The elements of another value under another index, perhaps widened: read through, never stored.
  bool is_transparent(int32_t node) const;
  // Is its value, of 16 bits, rounded even where it stays in registers (Note [Bits] in graph/graph.h)? Yes with
  // several readers, since some may read it, or a part of it, from memory; for a root that several others read
  // through inlined nodes; and for what is sorted by its bits.
  bool rounds(int32_t node) const { return rounds_[static_cast<size_t>(node)]; }
  // It is fused with nothing but views: its fused kernel failed to compile, or a bisection leaves it out.
  bool is_unfused(int32_t node) const { return is_unfused_[static_cast<size_t>(node)]; }
  bool is_contraction(int32_t node) const { return is_contraction_[static_cast<size_t>(node)]; }
  // Defined by all elements before each one, and computed otherwise (rank_keys.h, ops/rank.h).
  bool is_scan(int32_t node) const { return is_scan_[static_cast<size_t>(node)]; }
  bool is_rank(int32_t node) const { return is_rank_[static_cast<size_t>(node)]; }
  // Points that a node is computed at: of a scan or rank, those of its result.
  Size computed_points(int32_t node) const;
  // Does the value outlive the program, as an output or in an input?
  bool is_live_out(ValueId value) const { return is_live_out_[static_cast<size_t>(value.index)]; }
  // Of a root.
  const std::vector<Read>& reads(int32_t node) const { return reads_[static_cast<size_t>(node)]; }
  ValueId result(int32_t node) const { return graph_.nodes[static_cast<size_t>(node)].results[0]; }

 private:
  using Sites = std::vector<std::shared_ptr<const std::vector<LoadSite>>>;  // by node
  struct Use {
    int32_t reader;
    const LoadSite* site;  // of the reader, or of a view that it reads through
    bool is_predicated;
  };
  Sites all_sites() const;
  static bool reads_again(const std::vector<Use>& uses, const Use& another);
  void find_index_only(const Sites& sites);
  void choose_inlined(const Sites& sites, bool inlines);
  bool worth_inlining(int32_t node, const std::vector<LoadSite>& sites,
                      const std::vector<Use>& uses, bool joins_reductions) const;
  bool can_inline_into_select(int32_t node, const Use& use) const;
  // Numbers made of small integers, on a CPU: quantized weights, which are fewer bytes than what they stand for.
  bool decodes(int32_t node) const;
  void find_rounded();
  void round_shared_roots();
  void collect(const Sites& sites, int32_t node, const std::vector<Expr>& axes, bool is_predicated,
               std::vector<Read>& reads) const;

  const Graph& graph_;
  std::vector<NodeDefinition> node_definitions_;
  std::vector<bool> is_inlined_;
  std::vector<bool> is_contraction_, is_scan_, is_rank_;
  std::vector<bool> depends_on_index_only_;  // by node: it loads nothing
  std::vector<bool> is_live_out_;
  std::vector<int> work_;  // functions computed at one point, inlined ones included
  std::vector<std::vector<Read>> reads_;
  std::vector<bool> is_unfused_;
  std::vector<bool> rounds_;
};

}  // namespace ridge::schedule

// Fusion: which roots share a kernel.
//
// A group is one kernel: an iteration space of outer axes (rows) and inner axes (along a row), and
// members that run at every point, or once for each row. Reductions run over the inner axes.
//
//   softmax of x[n, m]:  outer {n}, inner {m}
//     max  = reduction          sum = reduction of exp(x - max)        out = exp(x - max) / sum
//
// On a GPU reductions over the outer axes may join too, so that what both read is read once:
//
//   gradients of a norm of x[n, m]:  outer {n}, inner {m}
//     rows: sums of each row, dx          columns: dgamma[m], dbeta[m] = sums over n
//
// Two groups become one when their spaces have a common refinement and whatever one reads of the
// other's values is read at exactly the index where it is computed, so that it need not go through
// memory. Index expressions are compared in canonical form (expr/simplify.h). What may become one
// does so if the cost model says that it takes no longer than two. Each answer keeps its reason and,
// where both were possible, both prices.
//
// Invariants: every root is a member of one group; groups stand in an order where producers come
// before consumers.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ridge/base/decision.h"
#include "ridge/cost/sheet.h"
#include "ridge/schedule/chain.h"
#include "ridge/schedule/inlined_graph.h"

namespace ridge::schedule {

enum class GroupKind : uint8_t { map, reduction, contraction, scatter, chain };

struct Member {
  int32_t node;
  std::vector<Expr> axes;  // the axes of its definition, over those of the group
  bool is_per_row;         // runs once for each row: over the outer axes alone
  // Runs once for each column, over the inner axes alone: a reduction over the outer axes, or a map of such. Nothing else
  // in the group reads it. Only on a GPU (gpu_persistent_rows.h). All other reductions are over the inner axes,
  // and their result is a row value.
  bool is_per_column = false;
};

struct Group {
  GroupKind kind;
  Shape outer;
  Shape inner;
  std::vector<Member> members;           // producers first
  int32_t batch = -1;                    // neighbors of one number are one launch: Note [Batch]
  std::shared_ptr<const Chain> chain{};  // of a chain: what its members are to it

  Shape extents() const;  // outer, then inner
  bool has_columns() const;
};

struct FusionDecision {
  int32_t producer, consumer;  // nodes
  Decision decision;
};

struct Fusion {
  std::vector<Group> groups;
  std::vector<int32_t> group_of;          // by node; -1 if inlined
  std::vector<FusionDecision> decisions;  // in the order they were taken
};

// One past the last group of the batch of a group, which may be that group alone.
inline size_t batch_end(const Fusion& fusion, size_t group) {
  const int32_t batch = fusion.groups[group].batch;
  size_t end = group + 1;
  while (batch >= 0 && end < fusion.groups.size() && fusion.groups[end].batch == batch) ++end;
  return end;
}

// Products with a softmax between them, on a CPU: apart, as one kernel where that is faster, or always so.
enum class Chains : uint8_t { none, if_faster, always };

struct FusionOptions {
  std::vector<bool> not_fusible{};  // by node, or empty: those that share a kernel with no other
  Chains chains = Chains::if_faster;
  bool maps_products = false;  // as in group_price.h
};

// Without a sheet, whatever may become one does. `resident`: bytes that the program touches between
// two launches of a kernel.
Fusion fuse(const InlinedGraph& program, const cost::Sheet* sheet, double resident,
            const FusionOptions& options = {});
// Each root by itself.
Fusion fuse_nothing(const InlinedGraph& program);

// Making one group of two.
struct Merged {
  Decision decision;
  Group group{};  // where the decision is yes
};

// `first` comes before `second`: nothing in `first` reads a value of `second`.
Merged merge(const InlinedGraph& program, const Group& first, const Group& second);

// Reductions over columns join the rows that they go down, where both are about the same points:
//   rows [n] | [m] and columns [m] | [n]   ->   [n] | [m]
// Nothing where the two are about different ones; nothing in `rows` reads a value of `columns`.
std::optional<Merged> merge_columns(const InlinedGraph& program, const Group& rows,
                                    const Group& columns);

}  // namespace ridge::schedule

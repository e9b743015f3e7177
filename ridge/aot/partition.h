// Which forward values a gradient keeps, and which it computes again: a minimum cut.
//
//   forward: a = f(x); b = g(a); out = h(b)     backward reads a and b
//   kept a, b:      writes a, b, reads a, b
//   recomputed:     reads x, computes f and g again, in the kernel that needs them
//
// Each forward value x is two nodes of a network, `in` (computed) and `out` (at hand in the backward
// half), between a source (the forward half) and a sink (the backward half):
//
//   source -> in   what computing x again costs          in -> out      what keeping x costs
//   out -> in of each value computed from x: uncut       out -> sink    where a gradient reads x: uncut
//
// The cheapest cut says for each value whether it is kept, computed again, or not needed. Prices come
// in; nothing here knows ops or devices. Each value that a gradient needs leaves a Decision: yes if it
// is kept, with what keeping and computing again would take. For what is kept, computing it again is
// priced with what leads to it from values that are at hand.
//
// What is inside of a checkpoint (graph::Node::region: read by forward nodes of its region alone) cannot
// be kept, unless it cannot be computed again: control flow, and what decides something by bits that
// another kernel might not give it.
//
// In: a functional graph with marked nodes, as the passes leave it (every op has one result, but for
// control flow, which is never computed again).
#pragma once

#include <span>
#include <vector>

#include "ridge/aot/min_cut.h"
#include "ridge/base/decision.h"
#include "ridge/graph/graph.h"

namespace ridge::aot {

// By node: is it part of a gradient or of an optimizer, or does it depend on one?
std::vector<bool> backward_nodes(const graph::Graph& graph);

// What a forward value costs, in picoseconds.
struct ValueCost {
  int64_t recompute = kUncut;  // given its operands
  int64_t write = 0;           // of keeping it; 0 where it goes through memory anyway
  int64_t read = 0;
  int64_t bytes = 0;        // held for the backward half; 0 where somebody else holds them
  bool can_be_kept = true;  // false for what is only another view of its operand
};

struct KeptOrRecomputed {
  graph::ValueId value;
  int64_t bytes = 0;
  Decision decision;  // yes: kept
};

struct Partition {
  std::vector<bool> is_kept;                // by value
  std::vector<KeptOrRecomputed> decisions;  // of what the gradient needs, in the order of the graph
  int64_t kept_bytes = 0;
  bool marks_all_kept = true;  // or only results of checkpoints

  bool recomputes() const;
};

// What holding a byte costs besides, in picoseconds. Layers are alike, so with one price all of them
// would change their minds at once: values before `first_late` may have another than the rest.
struct MemoryCharge {
  double early = 0, late = 0;
  int32_t first_late = 0;

  double of(graph::ValueId id) const { return id.index < first_late ? early : late; }
};

// `costs`: by value.
Partition partition(const graph::Graph& graph, std::span<const ValueCost> costs,
                    const MemoryCharge& charge = {});

// Keeps all that gradients read, but for what is inside of checkpoints.
Partition keep_everything(const graph::Graph& graph, std::span<const ValueCost> costs);

// The cheapest cut, and the one that keeps most, as if each segment (segments.h) were a checkpoint.
// `segments`: by node, 0 for none.
struct SegmentedPartitions {
  Partition cheapest, keeps_most;
};
SegmentedPartitions partition_segments(const graph::Graph& graph, std::span<const ValueCost> costs,
                                       std::span<const int32_t> segments);

bool has_checkpoints(const graph::Graph& graph);

}  // namespace ridge::aot

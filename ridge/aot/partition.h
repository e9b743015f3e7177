// Which forward values are saved for a gradient, and which it recomputes: a minimum cut.
//
//   forward: a = f(x); b = g(a); out = h(b)     backward reads a and b
//   saved a, b:     writes a, b, reads a, b
//   recomputed:     reads x, computes f and g again, in the kernel that needs them
//
// Each forward value x is two nodes of a flow network, `in` (x is computed) and `out` (x is available
// to backward nodes). The source is the forward graph, the sink the backward graph:
//
//   source -> in   cost of recomputing x                 in -> out      cost of saving x
//   out -> in of each value computed from x: uncut       out -> sink    where a gradient reads x: uncut
//
// The cheapest cut says of each value whether it is saved, recomputed, or not needed. Costs are
// arguments: nothing here knows ops or devices. Each value that a gradient needs leaves a Decision: yes
// if it is saved, with the cost of both sides. Recomputing a saved value is priced with all that leads
// to it from values that are available.
//
// Values inside of a checkpoint (graph::Node::region) that only nodes of its region read cannot be
// saved. Exceptions are values that cannot be recomputed: results of control flow, and values that
// decide something by bits which another kernel might not reproduce.
//
// In: a functional graph with marked nodes, as the passes leave it. Every op has one result, except
// control flow, which is never recomputed.
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
  int64_t write = 0;           // of saving it; 0 where it goes through memory anyway
  int64_t read = 0;
  int64_t bytes = 0;        // saved for the backward graph; 0 where another value owns them
  bool can_be_kept = true;  // false for what is only another view of its operand
};

struct SavedOrRecomputed {
  graph::ValueId value;
  int64_t bytes = 0;
  Decision decision;  // yes: saved
};

struct Partition {
  std::vector<bool> is_kept;                 // by value
  std::vector<SavedOrRecomputed> decisions;  // of values that the gradient needs, in graph order
  int64_t kept_bytes = 0;
  bool marks_all_kept = true;  // or only results of checkpoints

  bool recomputes() const;
};

// An extra cost of each saved byte, in picoseconds. Layers are alike, so one charge would flip all of
// them at once from saved to recomputed: values before `first_late` may have another charge.
struct MemoryCharge {
  double early = 0, late = 0;
  int32_t first_late = 0;

  double of(graph::ValueId id) const { return id.index < first_late ? early : late; }
};

// `costs`: by value.
Partition partition(const graph::Graph& graph, std::span<const ValueCost> costs,
                    const MemoryCharge& charge = {});

// Saves all that gradients read, except inside of checkpoints.
Partition keep_everything(const graph::Graph& graph, std::span<const ValueCost> costs);

// The cheapest cut, and the cut that saves most, as if each segment (segments.h) were a checkpoint.
// `segments`: by node, 0 for none.
struct SegmentedPartitions {
  Partition cheapest, keeps_most;
};
SegmentedPartitions partition_segments(const graph::Graph& graph, std::span<const ValueCost> costs,
                                       std::span<const int32_t> segments);

bool has_checkpoints(const graph::Graph& graph);

}  // namespace ridge::aot

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

#include <cstdint>
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

// The cheapest cut, and the cut that saves most, as if each segment (segments.cpp) were a checkpoint.
// `segments`: by node, 0 for none.
struct SegmentedPartitions {
  Partition cheapest, keeps_most;
};
SegmentedPartitions partition_segments(const graph::Graph& graph, std::span<const ValueCost> costs,
                                       std::span<const int32_t> segments);

bool has_checkpoints(const graph::Graph& graph);

// Segments of the forward graph: what a gradient computes again as a whole, from what lies between two
// of them, as if each were a checkpoint.
//
//   x -> a -> b -> y -> c -> d -> z         cut behind y: y is kept, a and b are computed again from x
//   ^^^^^^^^^^^^^^^  ^^^^^^^^^^^^           when the gradient reaches them, c and d from y
//
// A charge for each byte (MemoryCharge) tells values apart by what computing them again takes. Where all
// of them cost alike they change their minds together, from keeping everything to computing everything
// again, which then lives at once. Segments hold one part of that at a time (Chen et al., "Training
// Deep Nets with Sublinear Memory Cost", 2016).

// By node of the graph: its segment, from 1 on; 0 for what is no forward node. There are about `count`
// segments that compute as many bytes each, cut where the fewest bytes go from one to the next.
std::vector<int32_t> forward_segments(const graph::Graph& graph, std::span<const ValueCost> costs,
                                      size_t count);

// The graph in which what gradients do not keep is computed again, as a partition says.
//
//   y = exp(x) ; z = y * y ; dz ... backward: dy = dz * y
//   y not kept:  y = exp(x) ; z = y * y ; y' = exp(x) recomputed ; dy = dz * y' backward
//
// A copy stands before the first gradient node that needs it, marked `recomputed`. Nodes of values that
// are kept are marked `kept`, every node that depends on a gradient `backward`, unless it is of an
// optimizer; no mark changes what is computed.

graph::Graph recompute(const graph::Graph& graph, const Partition& partition);

}  // namespace ridge::aot

// The axes of a kernel: those of its group, merged where memory allows.
//
// Neighboring axes become one where every access steps through them as through one:
//   x[i, j] of a contiguous x[8, 32]   ->   x[q], q in 256
// An access that does not (a transposed operand, a broadcast) keeps them apart, and so does any other
// use of an axis (a position that enters the computation).
#pragma once

#include "ridge/schedule/emit.h"

namespace ridge::schedule {

// An access of a kernel to memory, over the axes of the group.
struct AccessPattern {
  int buffer;  // planned
  Expr address;
  DType dtype;
  bool is_store;
  bool is_affine;
  std::vector<Expr> coefficients;  // by axis of the group, if affine
  Size elements;                   // of the array
};
std::vector<AccessPattern> access_patterns(const InlinedGraph& program, const Group& group,
                                           const ValueLocations& locations,
                                           const std::vector<bool>& is_stored);

struct KernelAxes {
  std::vector<int> outer, inner;  // axes of the emitter, which knows their extents
};
// Adds the merged axes to the emitter and tells it how the group's axes follow.
KernelAxes merge_axes(Emitter& emitter, const InlinedGraph& program, const Group& group,
                      const std::vector<AccessPattern>& patterns);

// Steps in elements along an axis of the emitter, by pattern; null if not affine.
std::vector<Expr> steps_along(const Emitter& emitter, const std::vector<AccessPattern>& patterns,
                              int axis);

}  // namespace ridge::schedule

// Mapping a group to a machine: the loops around its members.
//
// CPU: rows go to threads, lanes of a vector along a row, or one row per lane (cpu_loops.h). A reduction that
// needs the result of another one runs in a later pass over its row.
// GPU: 16 bytes of a map for each thread, some threads for each row by its length (gpu_row_shape.h), a block for
// each tile of columns; a group whose rows are too few to fill the device becomes several kernels, with
// partial results in scratch (gpu_split_reduction.h).
#pragma once

#include "ridge/base/decision.h"
#include "ridge/cost/sheet.h"
#include "ridge/loop/device_limits.h"
#include "ridge/schedule/emitter.h"

namespace ridge::schedule {

// The axes of a kernel: those of its group, merged where memory allows.
//
// Neighboring axes become one where every access steps through them as through one:
//   x[i, j] of a contiguous x[8, 32]   ->   x[q], q in 256
// An access that does not (a transposed operand, a broadcast) keeps them apart, and so does any other
// use of an axis (a position that enters the computation).

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

struct LoopInput {
  const InlinedGraph& program;
  const Group& group;
  const ValueLocations& locations;
  const std::vector<bool>& is_stored;  // by value
  int scratch = -1;                    // planned buffer of f32, for a scatter that rounds once
  const cost::Sheet* sheet = nullptr;  // to choose between mappings with
  loop::DeviceLimits limits{};         // of the GPU: cost::device_limits(sheet)
  std::optional<size_t> mapping{};     // or which of them to take
  double resident = 0;                 // bytes between two launches: `Plan::resident`
  int first_scratch = 0;  // number that the first of `EmittedGroup::scratch_buffers` will have
};

struct EmittedKernel {
  loop::Kernel kernel;
  std::vector<int> buffers;           // planned buffers, in the order of the kernel's global ones
  std::vector<Decision> decisions{};  // between mappings
};

// Scratch memory between the kernels of one group, which nobody else sees.
struct ScratchBuffer {
  DType dtype;
  Shape shape;
};

struct EmittedGroup {
  std::vector<EmittedKernel> kernels;  // in order
  std::vector<ScratchBuffer>
      scratch_buffers;  // planned buffers first_scratch, first_scratch + 1, ...
};

EmittedGroup cpu_loops(const LoopInput& input);
EmittedGroup gpu_loops(const LoopInput& input);

// For both: which pass over a row each member of a group belongs to. A reduction's result is there
// for members of later passes. Row members without a pass of their own have the first at which they
// can be computed.
std::vector<int> passes_of(const InlinedGraph& program, const Group& group);

loop::Combine combine_of(ops::Reducer reducer);
// What a reduction of nothing gives, and where its variable starts.
Expr identity_of(ops::Reducer reducer, DType dtype);
bool gives_position(ops::Reducer reducer);

}  // namespace ridge::schedule

// What the mappings to CPU and GPU share: a group being emitted, and its reductions.
#pragma once

#include "ridge/schedule/loops.h"

namespace ridge::schedule {

struct GroupEmitter {
  explicit GroupEmitter(const LoopInput& given);

  bool is_stored(const Member& member) const;
  bool is_reduction(const Member& member) const {
    return !input.program.node_definition(member.node).is_map();
  }
  ops::Reducer reducer(const Member& member) const {
    return input.program.node_definition(member.node).definition.reducer;
  }
  DType accumulator(const Member& member) const;
  // Of some of the kernel's axes together.
  Size extent_of(const std::vector<int>& over) const;
  // These axes in terms of one flat index over them.
  void flatten(const std::vector<int>& over, const Expr& flat);
  // The variable a reduction runs in, at the value of an empty range.
  int declare(const Member& member);
  // Combines the value at the current point into it.
  void reduce(const Member& member, int var);
  // argmax and argmin: the best so far and where it was, one element after the other.
  void emit_position(const Member& member);
  // Stores what outlives the kernel, at the current point.
  void store_members(bool rows_only = false);
  EmittedKernel finish();

  const LoopInput& input;
  Emitter emitter;
  std::vector<AccessPattern> patterns;
  KernelAxes axes;
  std::vector<Decision> decisions;  // how the kernel is mapped

 private:
  bool writes_over_what_it_reads() const;
};

}  // namespace ridge::schedule

// The threads of a scatter on a GPU: which columns each of them takes, and where the elements and points
// of these columns are.
//
//   tile     blocks of the grid over the columns of the result, with
//   owner    several of them for the same columns, each for some of the slots
//   thread   of a block, and
//   lane     neighboring columns that one takes
#pragma once

#include "ridge/schedule/gpu_emitter.h"
#include "ridge/schedule/gpu_scatter_shape.h"
#include "ridge/schedule/scatter_loops.h"

namespace ridge::schedule {

class ScatterThreads {
 public:
  // Opens the loops over all of them.
  explicit ScatterThreads(const LoopInput& given);
  EmittedKernel finish();

  // Has the thread columns? Points may end before the result does: are there any in its columns?
  Expr is_column() const { return first_ < shape.columns.expression(); }
  Expr has_points() const;
  // A block counts its own slots; others lead to the slots of other blocks.
  Expr slot_of(const Expr& own_slot) const { return own_slot * shape.owners + expr::axis(owner); }
  Expr is_own(const Expr& slot) const {
    return expr::equal(expr::mod(slot, Expr(shape.owners)), expr::axis(owner));
  }
  // The element of the result in a slot, in the column of this thread.
  std::vector<Expr> position(const Expr& slot) const;
  // The axes of a point, in the column of this thread.
  std::vector<Expr> point(const Expr& scanned) const;

  // A body that computes all it needs inside, for threads for which a condition holds.
  void open_predicated(uint64_t axes = 0);
  void close_predicated(const Expr& condition, int64_t inverse_probability = 1);
  // For each of the neighbors that a thread takes.
  template <class Emit>
  void for_each_lane(Emit&& emit) {
    emit_lanes(emitter, lane, shape.width, std::forward<Emit>(emit));
  }
  ScatterStep step() { return {emitter, input, node}; }

  const LoopInput& input;
  Emitter emitter;
  int32_t node;
  const NodeDefinition& node_definition;
  ScatterTargets targets;
  ScatterShape shape;
  int tile, owner, thread, lane;  // axes; the last is -1 where the width is 1
  OnChipBuffers shared;

 private:
  Expr column() const { return lane >= 0 ? first_ + expr::axis(lane) : first_; }
  void unflatten(const std::vector<int>& axes, const Shape& extents, Expr flat,
                 std::vector<Expr>& into) const;

  Expr first_;  // column
};

}  // namespace ridge::schedule

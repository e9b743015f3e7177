// The loop of a thread along its row, peeled: a prologue and a tail whose elements are masked, and a main
// loop whose elements are all inside of the row.
//
//   row of 1000, 128 threads, width 2     main: steps 0 .. 2; tail: step 3, threads with first < 1000
//   the same, misaligned by up to 1       prologue: step 0, lanes with 0 <= element < 1000
//                                         main: steps 1 and 2; tail: step 3, lanes with element < 1000
#pragma once

#include "ridge/schedule/gpu_row_loads.h"
#include "ridge/schedule/gpu_row_threads.h"

namespace ridge::schedule {

class PeeledLoops {
 public:
  // `misalignment`: the elements that the threads of a misaligned row start in front of it; null if it is aligned.
  PeeledLoops(GpuEmitter& gpu, const RowShape& shape, const RowThreads& threads, Expr misalignment);

  const std::vector<PeeledLoop>& all() const { return peeled_loops_; }
  // The first of the neighbors that a thread takes at a step, and the one that a lane takes.
  Expr first_at(Expr step) const;
  Expr first_of(const PeeledLoop& peeled) const {
    return first_at(expr::axis(peeled.step) + peeled.first);
  }
  Expr lane_at(const Expr& first) const { return lane >= 0 ? first + expr::axis(lane) : first; }
  // Where a thread holds the element that it is at.
  Expr register_at(const PeeledLoop& peeled) const;

  // The condition of elements to be inside of the row: one for threads, or, where it is misaligned, for lanes. The other
  // is null, and both are where all elements of the peeled loop are inside.
  Expr threads_inside(const PeeledLoop& peeled) const;
  Expr lanes_inside(const PeeledLoop& peeled) const;

  // Axes that say which neighbors of the row a thread is at.
  uint64_t bound_in(const PeeledLoop& peeled) const {
    return axis_mask({peeled.step}) | threads_.of_row();
  }
  // What happens at each step of a peeled loop, for threads that are inside.
  loop::Statement in_loop(const PeeledLoop& peeled, loop::Body body) const;
  // Wraps the body of an innermost loop in a peeled loop and its masks.
  loop::Statement around(const PeeledLoop& peeled, loop::Body body) const;

  const RowShape& shape;
  const Size length;  // of a row
  const int lane;     // axis of the neighbors of a step, -1 if there is one

 private:
  bool is_full(const PeeledLoop& peeled) const;
  Expr is_before_end(const PeeledLoop& peeled) const;

  Emitter& emitter_;
  const RowThreads& threads_;
  Expr misalignment_;
  std::vector<PeeledLoop> peeled_loops_;
};

// Where the largest or smallest element of a row is, by all threads of the row.
//
// Each thread keeps the best of what it saw and the step at which it saw it first: one comparison for
// all the neighbors of a step. Then the best of all threads is found, and those that have it look
// through the neighbors of their step again; the first position of them all is the result. A NaN is
// better than any number (gpu_row_position.cpp).
void emit_row_position(GpuEmitter& gpu, const Member& member, const RowThreads& threads,
                       const PeeledLoops& row);

}  // namespace ridge::schedule

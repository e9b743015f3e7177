// Where the largest or smallest element of a row is, by all threads of the row.
//
// Each thread keeps the best of what it saw and the step at which it saw it first: one comparison for
// all the neighbors of a step. Then the best of all threads is found, and those that have it look
// through the neighbors of their step again; the first position of them all is the result. A NaN is
// better than any number.
#pragma once

#include <functional>

#include "ridge/schedule/gpu_emitter.h"
#include "ridge/schedule/gpu_row_keep.h"

namespace ridge::schedule {

// How the threads of a row go along it.
struct RowSteps {
  const std::vector<RowStretch>& stretches;
  Size length;
  int64_t width;
  int lane;                                // axis of the neighbors of a step, -1 if there is one
  uint64_t bound;                          // axes that say which thread of the row this is
  bool is_shifted;                         // neighbors may lie in front of the row, and lanes ask
  std::function<Expr(const Expr&)> first;  // of the neighbors of a thread at a step
  std::function<Expr(const RowStretch&)> condition;
  std::function<loop::Statement(const RowStretch&, loop::Body)> in_loop;
  std::function<void(int, loop::Combine)> combine;  // a var, across all threads of the row
};

void emit_row_position(GpuEmitter& gpu, const Member& member, const RowSteps& row);

}  // namespace ridge::schedule

// The elements of a scatter's result that a block owns: how they start, how a point is added to one, and
// how they end.
//
// Sums that are rounded once are kept in scratch. Where there is room to note which elements some point
// leads to, only theirs are, and the others are stored as they start: a thread notes it for its own columns.
#pragma once

#include "ridge/schedule/gpu_scatter_shape.h"
#include "ridge/schedule/gpu_scatter_threads.h"

namespace ridge::schedule {

class ScatterSums {
 public:
  explicit ScatterSums(ScatterThreads& threads);

  void start();
  // The point with axes `from`, to the element at `to`.
  void add_point(const std::vector<Expr>& to, const std::vector<Expr>& from);
  // The same for all lanes, to the element of a slot of this block, by its number among those.
  void add_own_point(const Expr& own_slot, const std::vector<Expr>& from);
  // Takes them from scratch to the result, if that is where they are.
  void copy_out();

 private:
  bool is_in_scratch() const { return threads_.input.scratch >= 0; }
  int buffer();
  Expr address(const std::vector<Expr>& at);

  bool can_mark() const;
  Expr mark_at(const Expr& own_slot) const;
  Expr read_mark(const Expr& own_slot);
  void set_mark(const Expr& own_slot, bool value);

  template <class Emit>
  void for_each_slot(Emit&& emit);
  void store_initial(const std::vector<Expr>& at);
  void store_result(const std::vector<Expr>& at, int value);
  void copy_sum(const std::vector<Expr>& at);

  ScatterThreads& threads_;
  Emitter& emitter_;
  BranchProbabilities probabilities_;
  int scratch_ = -1;
  int touched_ = -1;  // shared: which sums this block has begun
};

}  // namespace ridge::schedule

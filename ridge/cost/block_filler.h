// Fills blocks with what statements read, write and compute, whoever describes them: a kernel
// (statement_filler.h) or a group that is to become one (schedule/group_blocks.h).
//
//   BlockFiller filler(sizes);
//   filler.around.push_back({0, 1024, Place::vector});
//   filler.start_block();
//   filler.add_value(block, e, f32, [&](const Expr& load) { ... filler.add_access(...) });
#pragma once

#include "ridge/cost/function_count.h"
#include "ridge/cost/index_steps.h"

namespace ridge::cost {

class BlockFiller {
 public:
  explicit BlockFiller(std::span<const int64_t> sizes = {}) : sizes_(sizes) {}

  std::vector<AroundLoop> around;  // the loops that are open, outermost first

  // What follows shares no sines and cosines with what came before.
  void start_block() { circular_.clear(); }
  // The functions of a value of `dtype`, at one point. The caller gets each load once; the
  // arithmetic of its index is left out, unless it looks something up.
  void add_value(BasicBlock& block, const expr::Expr& e, DType dtype, DType arithmetic,
                 const OnLoad& on_load, const ValueFacts& facts = {});
  // `access` without steps and origin, which follow from the index.
  void add_access(BasicBlock& block, MemoryAccess access, const expr::Expr& index, AxisSet random);
  void add_reduction(BasicBlock& block, loop::Combine combine, DType dtype);
  // A value combined over `threads` threads of one block, in as many as combine with each other.
  void add_collective(BasicBlock& block, loop::Combine combine, DType dtype, double threads);

 private:
  bool completes_sincos(const expr::Expr& node);
  double index_divisions(const expr::Expr& index) const;

  std::span<const int64_t> sizes_;
  std::vector<expr::Expr> circular_;  // sines and cosines of the block
};

// Adds what `from` does to `into`.
void add_operations(Operations& into, const Operations& from);
// Do all accesses of an operand have neighbors along the axis, or stand still?
bool is_along(const BasicBlock& operand, int axis);
bool is_wide(DType dtype);

}  // namespace ridge::cost

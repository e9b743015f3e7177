// Fills blocks from the statements of a kernel that are no loops: a part of nest.cpp.
#pragma once

#include "ridge/cost/block_filler.h"
#include "ridge/cost/known_values.h"

namespace ridge::cost {

class StatementFiller {
 public:
  StatementFiller(const loop::Kernel& kernel, std::span<const int64_t> sizes)
      : kernel_(kernel),
        sizes_(sizes),
        filler_(sizes),
        read_along_(kernel.values.size()),
        known_(kernel) {}

  std::vector<AroundLoop>& around() { return filler_.around; }
  void start_block() { filler_.start_block(); }
  // Values, not indices: the arithmetic of an index is mostly scalar.
  void add_value(Block& block, const expr::Expr& e, DType dtype, DType arithmetic,
                 const ValueFacts& facts = {});
  // Of an `if`: of one over indices, only what compares them.
  void add_condition(Block& block, const expr::Expr& condition);
  void add_statement(Block& block, const loop::Statement& statement);
  // Bytes of results that a thread keeps in registers because they are needed again.
  double kept_bytes() const { return kept_bytes_; }

 private:
  // The axes along which a part of the expression is read from memory.
  AxisSet read_along(const expr::Expr& e) const;
  void add_access(Block& block, int buffer, const expr::Expr& index, bool is_store);
  double threads_of(const loop::Across& across) const;
  double trips_of_thread() const;  // of the loops around that each thread runs
  void add_let(Block& block, const loop::Let& let);
  DType dtype_of(int value) const { return kernel_.values[static_cast<size_t>(value)].dtype; }

  const loop::Kernel& kernel_;
  std::span<const int64_t> sizes_;
  BlockFiller filler_;
  std::vector<AxisSet> read_along_;  // by value
  KnownValues known_;
  double kept_bytes_ = 0;
};

}  // namespace ridge::cost

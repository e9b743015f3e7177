// Fills blocks from the statements of a kernel that are no loops: a part of nest.cpp.
#pragma once

#include <map>
#include <set>

#include "ridge/cost/block_filler.h"
#include "ridge/cost/known_values.h"
#include "ridge/loop/verify_parts.h"

namespace ridge::cost {

class StatementFiller {
 public:
  StatementFiller(const loop::Kernel& kernel, std::span<const int64_t> sizes)
      : kernel_(kernel),
        sizes_(sizes),
        filler_(sizes),
        read_along_(kernel.values.size()),
        same_along_(kernel.values.size()),
        known_(kernel),
        uses_(kernel),
        is_gpu_(loop::is_gpu_kernel(kernel)) {
    find_pipelined_loops(kernel.body);
  }

  std::vector<AroundLoop>& around() { return filler_.around; }
  void start_block() { filler_.start_block(); }
  // Values, not indices: the arithmetic of an index is mostly scalar.
  void add_value(BasicBlock& block, const expr::Expr& e, DType dtype, DType arithmetic,
                 const ValueFacts& facts = {}, bool is_copy = false);
  // The condition of an `if`; of one over indices only the comparison counts.
  void add_condition(BasicBlock& block, const expr::Expr& condition);
  void add_statement(BasicBlock& block, const loop::Statement& statement);
  void add_fold(BasicBlock& block, const loop::FoldTile& fold, DType dtype) {
    filler_.add_reduction(block, fold.combine, dtype);
  }
  // Bytes of results that a thread keeps in registers because they are needed again.
  double register_bytes() const { return register_bytes_; }

 private:
  void find_pipelined_loops(const loop::Body& body);
  // The axes along which a part of the expression is read from memory.
  AxisSet read_along(const expr::Expr& e) const;
  // Iterations of the axis, from the first on, for which all that the expression reads stays the same.
  double same_along(const expr::Expr& e, const AroundLoop& loop) const;
  // Of a lookup that neighbors share, as of all elements of a row: they lie together, apart from others.
  void share_lookups(MemoryAccess& access, const expr::Expr& index) const;
  struct AccessKind {
    bool is_store = false, is_copy = false, is_prefetched = false;  // as in MemoryAccess
  };
  void add_access(BasicBlock& block, int buffer, const expr::Expr& index, AccessKind kind);
  void add_store(BasicBlock& block, const loop::Store& store);
  void add_async_copy(BasicBlock& block, const loop::AsyncCopy& copy);
  void add_bulk_copy(BasicBlock& block, const loop::BulkCopy& copy);
  // Mean number of elements; the size of the buffer where the count depends on loaded values.
  double bulk_copy_elements(const loop::BulkCopy& copy) const;
  // Code of a GPU keeps two elements of 16 bits in a register, and forwards them without a conversion.
  bool is_copied(int value) const { return is_gpu_ && uses_.is_forwarded(value); }
  double threads_of(const loop::CollectiveReduce& collective) const;
  double trips_of_thread() const;  // of the loops around that each thread runs
  void add_let(BasicBlock& block, const loop::Let& let);
  DType dtype_of(int value) const { return kernel_.values[static_cast<size_t>(value)].dtype; }

  const loop::Kernel& kernel_;
  std::span<const int64_t> sizes_;
  BlockFiller filler_;
  std::vector<AxisSet> read_along_;                  // by value
  std::vector<std::map<int, double>> same_along_{};  // by value and axis, where it is more than one
  KnownValues known_;
  ValueUses uses_;
  bool is_gpu_;
  AxisSet pipelined_;  // Note [Pipelined loop] in loop/loop.h
  double register_bytes_ = 0;
};

}  // namespace ridge::cost

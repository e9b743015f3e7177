// What is known of the values of a kernel where they are computed: how exact they must be, and which
// of their functions an earlier statement has computed.
//
//   let v1: f32 = exp(row[i0] - v0)      a row kept in registers
//   ...
//   let v5: f32 = exp(row[i0] - v0)      the same again: loops over registers are unrolled, so that
//                                        the compiler keeps the first
//
// Statements come in the order of the kernel.
#pragma once

#include <optional>
#include <unordered_set>
#include <vector>

#include "ridge/cost/function_count.h"
#include "ridge/loop/loop.h"

namespace ridge::cost {

class KnownValues {
 public:
  explicit KnownValues(const loop::Kernel& kernel);

  ValueFacts facts_of(const loop::Let& let) const;
  // How many of its functions an earlier statement has computed and kept in registers. Cheap functions are
  // recomputed and not kept.
  int kept_in(const loop::Let& let) const;
  // Is this the first load of an element of a register-resident row? Later ones find it widened.
  bool is_first_read(const expr::Expr& load);
  void define(const loop::Let& let);
  void change(int var);  // a value that is not what it was

 private:
  struct Value {
    expr::Expr definition{};  // over rows in registers and vars; null where it is of others
    int version = 0;          // of a var
  };
  const Value& at(int value) const { return values_[static_cast<size_t>(value)]; }
  Value& at(int value) { return values_[static_cast<size_t>(value)]; }
  // Over rows in registers alone; null if it is not.
  expr::Expr spelled_out(const expr::Expr& e) const;
  bool is_available(const expr::Expr& call) const;

  const loop::Kernel& kernel_;
  std::vector<Value> values_;
  std::unordered_set<uint64_t> kept_;  // hashes of what was computed, spelled out, and of loads
};

// What a kernel does with its values: those that it only copies.
//
//   let v1: f32 = x[..]; x_row[..] = v1       nobody computes with v1: its 16 bits stay as they are
class ValueUses {
 public:
  explicit ValueUses(const loop::Kernel& kernel);

  // Loaded, or rounded, and only stored, to elements of the same type.
  bool is_forwarded(int value) const;

 private:
  struct Use {
    int count = 0, stored = 0;    // of `count`, as elements of its own type
    std::optional<DType> type{};  // of the element it is
  };
  void add(const loop::Statement& statement);
  void define(const loop::Let& let);
  Use& at(int value) { return uses_[static_cast<size_t>(value)]; }
  DType dtype_of(int buffer) const;

  const loop::Kernel& kernel_;
  std::vector<Use> uses_;  // by value
};

}  // namespace ridge::cost

// The symbols of one captured program: which sizes of its arguments they stand for, and what has to
// hold for another call to be served by it.
//
//   SymbolicSizes sizes(call, plan, names);              before the capture
//   ... capture with sizes.shape_of, compile ...
//   sizes.take_guards();                                 conditions that were assumed on the way
//   if (sizes.refusal(other) == nullopt) program.bind(sizes.values_in(other));
//
// Guards are left by whoever decides something by the sizes of this call: shape rules while the
// function is captured, passes, the schedule. A symbol that a guard makes equal to a number or to
// another symbol is replaced by it in the graph, so that the program is as good as one captured with
// it from the start; the guard stays.
#pragma once

#include <memory>
#include <string>

#include "ridge/capture/call_sizes.h"
#include "ridge/capture/dynamic.h"
#include "ridge/capture/size_names.h"
#include "ridge/expr/formula.h"
#include "ridge/graph/symbols.h"

namespace ridge::capture {

// What is to become a symbol, by slot of the call.
struct SlotPlan {
  bool is_symbolic = false;
  int64_t hint = 0;      // the value to decide by
  int64_t expected = 0;  // the value to be fast for
  const Dim* declared = nullptr;
};

// Why a call is not served.
struct Refusal {
  std::string condition;  // "batch = 8", "seq != 1"; none where more than sizes differs
  std::string given;      // "batch = 3"
  Location where;         // of what assumed it
};

class SymbolicSizes {
 public:
  SymbolicSizes() = default;  // of a program without symbols
  SymbolicSizes(const CallSizes& call, std::span<const SlotPlan> plan, const SizeNames& names);

  bool has_symbols() const { return !symbols_.empty(); }
  // For a call that is refused: would a program by the plan be refused as well? It would where every
  // size that the plan makes a symbol is one here, and no size of 0 or 1 is fixed that is not here.
  bool covers(const CallSizes& call, std::span<const SlotPlan> plan) const;
  const expr::Symbols& symbols() const { return symbols_; }

  // For the fake tensors: the shape of a tensor of FlatArguments::tensors, the value of a Size argument.
  Shape shape_of(size_t tensor, const Tensor& given) const;
  Size argument(size_t number, const Size& given) const;
  // Strides of an input that is not row-major, with symbols; nothing for one that is.
  std::optional<Shape> strides_of(size_t tensor, const Tensor& given) const;

  // Puts in the place of symbols what guards made them equal to. Error{shape}, at the line of the
  // guard, for a declared size that one fixes, or makes equal to one of another name.
  graph::Graph settled(graph::Graph graph) const;
  // When everything has been decided.
  void take_guards();
  std::vector<expr::Guard> guards() const;

  std::optional<Refusal> refusal(const CallSizes& call) const;
  // Of the symbols, in order, for a call that is served.
  std::vector<int64_t> values_in(const CallSizes& call) const;

  // "batch in [1, 4096] = 8, guards: ..."; empty without symbols.
  std::string to_text() const;

 private:
  struct Guarded {
    expr::Guard guard;
    expr::Formula holds;
  };
  size_t number_of(uint64_t symbol_id) const;
  // What a guard makes one of its symbols equal to, if anything: the symbol, and a number or another.
  struct Equality {
    size_t symbol;
    Size size;
  };
  std::optional<Equality> equality_in(const expr::Guard& guard,
                                      const graph::SymbolSizes& known) const;
  void check_undeclared(const Equality& equality, Location where) const;
  Size size_at(SizeSlot::Kind kind, size_t item, size_t dim, const Size& otherwise) const;

  std::vector<uint64_t> skeleton_;
  std::vector<SizeSlot> slots_;
  std::vector<std::string> slot_names_;
  std::vector<int64_t> fixed_;       // by slot: its value where it is no symbol
  std::vector<int> symbol_of_slot_;  // by slot; -1 where it is fixed
  std::vector<size_t> slot_of_symbol_;
  std::vector<bool> is_declared_;  // by symbol
  expr::Symbols symbols_;
  std::vector<Size> sizes_;  // the symbols as sizes
  std::shared_ptr<expr::GuardLog> log_;
  std::vector<Guarded> guards_;
};

}  // namespace ridge::capture

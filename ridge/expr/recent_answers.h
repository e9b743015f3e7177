// What was found of expressions lately, so that the same question is not worked out again.
//
// The layers of a model are alike, so a scheduler asks for the same index expressions over and over.
// A question is an expression with a context (the ranges of its axes, say); questions are the same if
// both are, by structure. Each has one slot, where a later one takes the place of an earlier: the memory
// is bounded, and nothing depends on what was asked before but time. One instance serves one thread.
//
//   RecentAnswers<Expr>& recent = per_thread<RecentAnswers<Expr>>();
//   if (const Expr* known = recent.find(e, ranges)) return *known;
#pragma once

#include <vector>

#include "ridge/base/hash.h"
#include "ridge/base/small_vector.h"
#include "ridge/expr/expr.h"
#include "ridge/expr/interval.h"

namespace ridge::expr {

template <class Answer>
class RecentAnswers {
 public:
  using Context = SmallVector<Interval, 6>;

  // Larger ones are rare, and would be kept alive for long; and of many axes too little is known.
  static bool can_hold(const Expr& e) {
    return e->tree_size < Node::kLargestTree && (e->axes >> Node::kLastAxis) == 0;
  }

  // Null if it is not there.
  const Answer* find(const Expr& e, const Context& context) const {
    if (slots_.empty()) return nullptr;
    const Slot& slot = slots_[place(e, context)];
    const bool is_it = slot.e.get() != nullptr && slot.context == context && same(slot.e, e);
    return is_it ? &slot.answer : nullptr;
  }

  void add(const Expr& e, const Context& context, Answer answer) {
    if (slots_.empty()) slots_.resize(kSlots);
    slots_[place(e, context)] = {e, context, std::move(answer)};
  }

 private:
  static constexpr size_t kSlots = 4096;
  struct Slot {
    Expr e;
    Context context;
    Answer answer;
  };

  static size_t place(const Expr& e, const Context& context) {
    Hasher hasher(e->hash);
    for (const Interval& interval : context) hasher.combine(interval.low).combine(interval.high);
    return static_cast<size_t>(hasher.digest()) % kSlots;
  }

  std::vector<Slot> slots_;
};

}  // namespace ridge::expr

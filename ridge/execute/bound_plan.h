// A plan with numbers in the place of its symbols: all that a run has to know of sizes.
//
//   const PlanBinder binder(plan);
//   const BoundPlan bound = binder.bind(values);      values of the symbols, in order
//
// A plan without symbols is bound once, with no values. Binding evaluates each size that kernels and
// results need, and lays out the arena for them: the memory that the temporaries of one run share.
//
//   ArenaBlock arena(bound.arena_bytes, device);
//   place_temporaries(bound.places, arena.data(), memory);     memory[i] = arena + offset of buffer i
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "ridge/core/device_runtime.h"
#include "ridge/execute/executable_plan.h"
#include "ridge/expr/formula.h"

namespace ridge::execute {

// Bytes of a device, without the cost of a tensor; returned when it goes. Nothing for 0 bytes.
class ArenaBlock {
 public:
  ArenaBlock() = default;
  ArenaBlock(int64_t bytes, Device device) {
    if (bytes == 0) return;
    allocator_ = &allocator_for(device);
    bytes_ = static_cast<size_t>(bytes);
    data_ = allocator_->allocate(bytes_);
  }
  ArenaBlock(ArenaBlock&& other) noexcept
      : allocator_(std::exchange(other.allocator_, nullptr)),
        data_(other.data_),
        bytes_(other.bytes_) {}
  ArenaBlock& operator=(ArenaBlock&&) = delete;
  ~ArenaBlock() {
    if (allocator_ != nullptr) allocator_->release(data_, bytes_);
  }

  std::byte* data() const { return static_cast<std::byte*>(data_); }

 private:
  Allocator* allocator_ = nullptr;
  void* data_ = nullptr;
  size_t bytes_ = 0;
};

struct ArenaPlace {
  size_t buffer;  // of the plan
  int64_t offset;
};

inline void place_temporaries(std::span<const ArenaPlace> places, std::byte* arena,
                              std::span<void*> memory) {
  for (const ArenaPlace& place : places) memory[place.buffer] = arena + place.offset;
}

struct BoundPlan {
  std::vector<Shape> shapes;                // by buffer of the plan
  std::vector<std::vector<int64_t>> sizes;  // by call: the params of its kernel
  std::vector<ArenaPlace> places;
  int64_t arena_bytes = 0;
  int64_t bytes = 0;  // that all calls together move
};

class PlanBinder {
 public:
  // The plan must outlive it.
  explicit PlanBinder(const ExecutablePlan& plan);

  BoundPlan bind(std::span<const int64_t> values) const;

 private:
  // A size of the plan: a number, or a formula by its position.
  struct Term {
    int64_t number = 0;
    int formula = -1;
  };
  Term term_of(const expr::Expr& e);
  static int64_t value_of(const Term& term, std::span<const int64_t> results) {
    return term.formula < 0 ? term.number : results[static_cast<size_t>(term.formula)];
  }

  const ExecutablePlan& plan_;
  std::vector<expr::Expr> expressions_;  // of the formulas: each is evaluated once
  std::vector<expr::Formula> formulas_;
  std::vector<std::vector<Term>> shapes_, sizes_;
  std::vector<Term> bytes_;
};

// The sizes of the inputs that stand where the symbols of the plan do, in order. Error{internal} for a
// symbol that is no size of an input by itself.
std::vector<int64_t> symbol_values(const ExecutablePlan& plan,
                                   std::span<const Tensor* const> inputs);

}  // namespace ridge::execute

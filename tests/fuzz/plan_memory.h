// The buffers of a plan, each in guarded memory (guarded_memory.h).
//
// With Edge::end every buffer has memory of its own and ends at a guard, temporaries too; with
// Edge::start the temporaries share the arena, at the offsets of the plan.
#pragma once

#include <deque>
#include <span>
#include <string>
#include <vector>

#include "ridge/schedule/plan.h"
#include "tests/fuzz/guarded_memory.h"

namespace ridge::fuzz {

class PlanMemory {
 public:
  PlanMemory(const schedule::Plan& plan, const graph::Graph& graph, std::span<const Tensor> inputs,
             Edge edge);

  // By buffer of a kernel, from those of the plan.
  std::vector<void*> arguments(const std::vector<int>& buffers) const;

  // After the last call. Copies, so they outlive the memory.
  std::vector<Tensor> outputs() const;
  std::vector<Tensor> inputs() const;
  // Empty, or what was written that should not have been.
  std::string find_damage() const;

 private:
  std::byte* add_block(size_t bytes);
  std::byte* add_copy(const void* from, size_t bytes);
  Tensor copy_of(size_t buffer, const Shape& strides) const;

  const schedule::Plan& plan_;
  const graph::Graph& graph_;
  std::span<const Tensor> given_;
  Edge edge_;
  std::deque<GuardedBlock> blocks_;
  std::vector<std::byte*> data_;  // by buffer
};

}  // namespace ridge::fuzz

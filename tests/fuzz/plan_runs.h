// Runs the kernels of a plan in guarded memory: by the loop interpreter, or as machine code.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ridge/linker/kernel_cache.h"
#include "ridge/loop/interpreter.h"
#include "tests/fuzz/paths.h"
#include "tests/fuzz/plan_memory.h"

namespace ridge::fuzz {

struct Results {
  std::string problem{};  // empty, or why there are none
  std::vector<Tensor> outputs{};
  std::vector<Tensor> inputs{};

  // Empty, or where the bits of another run differ.
  std::string difference(const Results& other) const;
};

struct BuiltPlan {
  std::vector<std::shared_ptr<const execute::CpuKernel>> kernels;
  explicit BuiltPlan(const schedule::Plan& plan);
};

enum class Threads {
  one,        // all tasks in one range
  backwards,  // the smallest ranges, last first
  all,        // as in production
};

struct PlanRun {
  const schedule::Plan& plan;
  const graph::Graph& graph;
  std::vector<Tensor> inputs;

  Results interpret(Edge edge, const loop::Options& options) const;
  Results launch(const BuiltPlan& built, Edge edge, Threads threads) const;
};

// Puts a defect in the first kernel that has room for it.
void plant(Plant what, schedule::Plan& plan);

}  // namespace ridge::fuzz

// A compiled program: kernels in order, with the memory they need, ready to run.
//
//   Program program(plan, graph);
//   std::vector<Tensor> outputs = program.run(inputs);
//
// Of a graph with symbols, all that depends on sizes is settled once for each set of them:
//
//   const auto bound = program.bind(values);           values of program.symbols(), in order
//   outputs = program.run(inputs, *bound);
//
// Running is safe from any thread, several at a time: each run has its own arena and outputs. Inputs
// that the graph updates are written in place; every output is a tensor of its own. A bad index is
// an Error{index} at the user's line.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "ridge/core/tensor.h"
#include "ridge/driver/executor.h"
#include "ridge/driver/kernel_cache.h"
#include "ridge/driver/kernel_row.h"
#include "ridge/driver/launch_counts.h"
#include "ridge/schedule/plan.h"

namespace ridge::driver {

// A program for one set of sizes.
struct BoundProgram {
  std::vector<int64_t> values;  // of the symbols
  BoundPlan plan;
  std::unique_ptr<BoundExecutor> executor;
};

class Program {
 public:
  // The graph must outlive it. All its memory is on the device. `symbols`: those of graph and strides
  // in the order in which `bind` takes values; if none are given, those of the graph by name.
  Program(schedule::Plan plan, const graph::Graph& graph, Device device = kCpu,
          expr::Symbols symbols = {});

  const expr::Symbols& symbols() const { return symbols_; }
  // Must not outlive the program.
  std::shared_ptr<const BoundProgram> bind(std::span<const int64_t> values) const;

  std::vector<Tensor> run(std::span<const Tensor* const> inputs, const BoundProgram& bound) const;
  // Symbols are taken from the shapes of the inputs. Error{internal} for one that is in none of them.
  std::vector<Tensor> run(std::span<const Tensor* const> inputs) const {
    return run(inputs, *bound_to(inputs));
  }

  size_t kernel_count() const { return steps_.size(); }
  int64_t bytes() const;
  int64_t arena_bytes() const { return plan_.arena_bytes; }
  const schedule::Plan& plan() const { return plan_; }
  Device device() const { return device_; }
  std::string gpu_name() const;  // as the GPU it runs on calls itself; empty on a CPU

  // Measures each kernel of the runs from now on.
  void set_timing(bool is_on) { is_timing_ = is_on; }
  std::vector<KernelRow> rows() const;   // in the order they run
  std::vector<double> total_us() const;  // of each kernel, since timing was on

 private:
  struct Step {
    int64_t bytes;
    mutable std::atomic<int64_t> launches{0};
    mutable std::atomic<int64_t> total_ns{0};
  };
  // Where a buffer of the plan comes from in each run.
  struct Source {
    enum class Kind : uint8_t { input, constant, made } kind;
    size_t buffer;
    size_t index;          // of the input, the buffer that is constant, or the tensor of `forms_`
    bool is_last = false;  // of the outputs that are this tensor
  };
  // A tensor that each run makes.
  struct Form {
    size_t buffer;
    DType dtype;
    bool is_weak;
  };
  void plan_sources();
  std::shared_ptr<const BoundProgram> bound_to(std::span<const Tensor* const> inputs) const;
  void report(const Failure& failure, std::span<const Tensor* const> inputs,
              const BoundProgram& bound) const;
  void execute(std::span<void*> memory, std::span<const Tensor* const> inputs,
               const BoundProgram& bound) const;
  void note_updates(std::span<const Tensor* const> inputs) const;

  schedule::Plan plan_;
  const graph::Graph& graph_;
  Device device_;
  expr::Symbols symbols_;
  PlanBinder binder_;
  std::unique_ptr<Executor> executor_;
  mutable std::mutex last_mutex_;
  mutable std::shared_ptr<const BoundProgram> last_;  // what `run` without sizes was bound to
  std::vector<std::unique_ptr<Step>> steps_;          // one for each call of the plan
  std::vector<Tensor> constants_;                     // by buffer of the plan
  std::vector<void*> constant_memory_;                // likewise; null for all others
  std::vector<Source> sources_;                       // of inputs and tensors that are made
  std::vector<Form> forms_;
  std::vector<Source> outputs_;
  std::vector<int32_t> updated_inputs_;
  std::atomic<bool> is_timing_{false};
};

}  // namespace ridge::driver

// A compiled program: kernels in order, with the memory they need, ready to run.
//
//   CompiledProgram program(plan, executor, device);
//   std::vector<Tensor> outputs = program.run(inputs);
//
// Of a plan with symbols, all that depends on sizes is settled once for each set of them:
//
//   const auto bound = program.bind(values);           values of program.symbols(), in order
//   outputs = program.run(inputs, *bound);
//
// Running is safe from any thread, several at a time: each run has its own arena and outputs. Inputs
// that the program updates are written in place; every output is a tensor of its own. A bad index is
// an Error{index} at the user's line.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "ridge/core/tensor.h"
#include "ridge/execute/executor.h"
#include "ridge/execute/launch_counts.h"

namespace ridge::execute {

// A program for one set of sizes.
struct BoundProgram {
  std::vector<int64_t> values;  // of the symbols
  BoundPlan plan;
  std::unique_ptr<BoundExecutor> executor;
};

// What somebody who knows more than the plan adds to its runs; each may be left out.
struct ProgramHooks {
  using Inputs = std::span<const Tensor* const>;
  using Values = std::span<const int64_t>;  // of the symbols
  // Throws what a kernel found wrong, in the name of the op at fault. Without it all suspects are named.
  std::function<void(const Failure&, Inputs, Values)> report_failure{};
  // Looks on while kernels run, with RIDGE_VERIFY=3. `memory` is by buffer of the plan.
  std::function<std::unique_ptr<KernelWatch>(Inputs, Values, std::span<void* const> memory)>
      watch{};
};

class CompiledProgram {
 public:
  // The executor is one of this plan. All memory is on the device.
  CompiledProgram(std::unique_ptr<const ExecutablePlan> plan, std::unique_ptr<Executor> executor,
                  Device device, ProgramHooks hooks = {});

  const expr::Symbols& symbols() const { return plan_->symbols; }
  // Must not outlive the program.
  std::shared_ptr<const BoundProgram> bind(std::span<const int64_t> values) const;

  std::vector<Tensor> run(std::span<const Tensor* const> inputs, const BoundProgram& bound) const;
  // Symbols are taken from the shapes of the inputs. Error{internal} for one that is in none of them.
  std::vector<Tensor> run(std::span<const Tensor* const> inputs) const {
    return run(inputs, *bound_to(inputs));
  }

  size_t kernel_count() const { return steps_.size(); }
  int64_t bytes() const;
  int64_t arena_bytes() const { return plan_->arena_bytes; }
  const ExecutablePlan& plan() const { return *plan_; }
  Device device() const { return device_; }
  std::string gpu_name() const;  // as the GPU it runs on calls itself; empty on a CPU

  // Measures each kernel of the runs from now on.
  void set_timing(bool is_on) { is_timing_ = is_on; }
  // Of each kernel, in the order they run, since timing was on.
  std::vector<int64_t> launches() const;
  std::vector<double> total_us() const;

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
  void launch(std::span<void*> memory, std::span<const Tensor* const> inputs,
              const BoundProgram& bound) const;
  void note_updates(std::span<const Tensor* const> inputs) const;

  std::unique_ptr<const ExecutablePlan> plan_;
  Device device_;
  PlanBinder binder_;
  std::unique_ptr<Executor> executor_;
  ProgramHooks hooks_;
  mutable std::mutex last_mutex_;
  mutable std::shared_ptr<const BoundProgram> last_;  // what `run` without sizes was bound to
  std::vector<std::unique_ptr<Step>> steps_;          // one for each call of the plan
  std::vector<Tensor> constants_;                     // by buffer of the plan
  std::vector<void*> constant_memory_;                // likewise; null for all others
  std::vector<Source> sources_;                       // of inputs and tensors that are made
  std::vector<Form> forms_;
  std::vector<Source> outputs_;
  std::atomic<bool> is_timing_{false};
};

}  // namespace ridge::execute

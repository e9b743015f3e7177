// The kernels of a program, launched in their order on a device.
//
//   auto executor = make_cpu_executor(plan, kernels);       from device_kernels.h
//   auto bound = executor->bind(binder.bind(values));       for one set of sizes
//   bound->run({.memory = addresses});
//
// Kernels are built once for all sizes; what depends on sizes is settled once for each set.
//
// One interface for every device: on a CPU each kernel has ended when the next begins; on a GPU they
// are queued on the current stream, and only a run that is timed, or made under RIDGE_WAIT, waits for
// them. What kernels of others find wrong is thrown later, Note [Late failures].
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "ridge/base/error.h"
#include "ridge/core/device.h"
#include "ridge/execute/bound_plan.h"

namespace ridge::execute {

// Knob::verify from here on has runs watched, where there is somebody to watch.
inline constexpr int64_t kVerifyWatches = 3;

// Looks on between the calls of a run: each is launched by itself then, and waited for.
class KernelWatch {
 public:
  virtual ~KernelWatch() = default;
  // Memory is as all calls before this one left it; an Error from here ends the run.
  virtual void before(size_t call) = 0;
  virtual void after(size_t call) = 0;
};

struct Run {
  std::span<void*> memory;          // by buffer of the plan; those of the arena are filled in
  std::span<double> seconds{};      // by call: filled where it is not empty
  const Location* where = nullptr;  // of this run, where that is not in the plan
  KernelWatch* watch = nullptr;
};

// A kernel that found something wrong.
struct Failure {
  size_t call;
  int32_t status;  // a KernelStatus
};

class BoundExecutor {
 public:
  virtual ~BoundExecutor() = default;
  // Throws what kernels of earlier runs are known to have found wrong. Does not wait.
  virtual void check_earlier_runs() const {}
  // Safe from several threads at a time, on memory of their own. All that a run needs beyond that is
  // allocated before its first launch, so Error{memory} leaves everything as it was. A failure is
  // returned only where the run has waited for its kernels.
  virtual std::optional<Failure> run(const Run& run) const = 0;
};

class Executor {
 public:
  virtual ~Executor() = default;
  // Must not outlive this, nor `bound`. Safe from any thread.
  virtual std::unique_ptr<BoundExecutor> bind(const BoundPlan& bound) const = 0;
};

}  // namespace ridge::execute

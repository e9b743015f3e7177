// The kernels of a plan, built for a device and launched in their order.
//
//   auto executor = make_executor(plan, device);
//   executor->run({.memory = addresses});
//
// One interface for every device: on a CPU each kernel has ended when the next begins; on a GPU they
// are queued on the current stream, and only a run that is timed, or has a kernel that can fail,
// waits for them.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "ridge/core/device.h"
#include "ridge/schedule/plan.h"

namespace ridge::driver {

// Looks on between the calls of a run: each is launched by itself then, and waited for.
class KernelWatch {
 public:
  virtual ~KernelWatch() = default;
  // Memory is as all calls before this one left it; an Error from here ends the run.
  virtual void before(size_t call) = 0;
  virtual void after(size_t call) = 0;
};

struct Run {
  std::span<void*> memory;      // by buffer of the plan; those of the arena are filled in
  std::span<double> seconds{};  // by call: filled where it is not empty
  KernelWatch* watch = nullptr;
};

// A kernel that found something wrong.
struct Failure {
  size_t call;
  int32_t status;  // a KernelStatus
};

class Executor {
 public:
  virtual ~Executor() = default;
  // Safe from several threads at a time, on memory of their own. All that a run needs beyond that is
  // allocated before its first launch, so Error{memory} leaves everything as it was.
  virtual std::optional<Failure> run(const Run& run) const = 0;
};

// Whether this build has a code generator for the device.
bool can_execute(Device device);
// The plan must outlive it. Error{device} where the device cannot be used.
std::unique_ptr<Executor> make_executor(const schedule::Plan& plan, Device device,
                                        const std::string& name);

std::unique_ptr<Executor> make_cpu_executor(const schedule::Plan& plan);
// `name`: of the program, for errors.
std::unique_ptr<Executor> make_cuda_executor(const schedule::Plan& plan, int device,
                                             const std::string& name);

}  // namespace ridge::driver

// Linking: a schedule's plan and the kernels built for it become a program that `execute` runs.
//
//   const auto linked = std::make_unique<const execute::ExecutablePlan>(executable_plan(plan, graph));
//   auto build = device_backend(device.kind).make_build(plan, *linked, device);
//   build->choose_products();
//   build->generate_kernels();
//   build->build_kernels();
//   auto executor = build->make_executor();
//
// Comes in: the plan, with loop kernels inside, of a graph. Goes out: the same as plain data, without
// graph and loops, and an executor that has the machine code of the kernels. What errors say of ops and
// lines is copied, so the graph may go afterwards.
#pragma once

#include "ridge/execute/device_inputs.h"
#include "ridge/execute/device_kernels.h"
#include "ridge/execute/executor.h"
#include "ridge/schedule/plan.h"

namespace ridge::linker {

// `symbols`: those of graph and strides in the order in which values of them are given; if none are
// given, those of the graph by name.
execute::ExecutablePlan executable_plan(const schedule::Plan& plan, const graph::Graph& graph,
                                        expr::Symbols symbols = {});

// From a plan to an executor, in four steps, which are called once each, in this order. Both plans must outlive the
// executor: of products that a library declines the kernel is built when they are bound. A kernel that does not
// compile is a KernelFailure (built_cache.h) with the numbers of calls.
class DeviceBuild {
 public:
  virtual ~DeviceBuild() = default;
  // Has the library choose how it computes products of the expected sizes, while kernels are built.
  virtual void choose_products() {}
  // LLVM IR or CUDA text of the kernels that no program has had yet.
  virtual void generate_kernels() {}
  // The same as machine code, loaded.
  virtual void build_kernels() {}
  virtual std::unique_ptr<execute::Executor> make_executor() = 0;
};
// All four steps.
std::unique_ptr<execute::Executor> make_executor(const schedule::Plan& plan,
                                                 const execute::ExecutablePlan& linked,
                                                 Device device);

std::unique_ptr<DeviceBuild> cpu_build(const schedule::Plan& plan,
                                       const execute::ExecutablePlan& linked);
std::unique_ptr<DeviceBuild> cuda_build(const schedule::Plan& plan,
                                        const execute::ExecutablePlan& linked, int device);

// The inputs of a graph whose program runs on the device. Error{device} for a number of the CPU that the
// graph writes.
execute::DeviceInputs device_inputs(const graph::Graph& graph, Device device);
// Plain numbers, and other 0-d tensors of the CPU, go with any device.
bool is_device_agnostic_scalar(const graph::Type& type);

// What stands behind a kind of device: the sheet that prices its kernels, and what launches them.
//
// The CPU and CUDA are there from the start. Tests put the loop interpreter in the place of a GPU, so
// that eager calls and compiled programs on tensors of a GPU run where there is none.

struct DeviceBackend {
  std::shared_ptr<const cost::Sheet> (*sheet)(Device) = nullptr;
  // The second plan is the executable_plan of the first.
  std::unique_ptr<DeviceBuild> (*make_build)(const schedule::Plan&, const execute::ExecutablePlan&,
                                             Device) = nullptr;
  // Does a library compute plain products there?
  bool (*has_products)() = nullptr;
};

// Error{device} for a kind that kernels cannot be generated for.
const DeviceBackend& device_backend(DeviceKind kind);
// Before anything runs on the kind of device.
void set_device_backend(DeviceKind kind, const DeviceBackend& backend);

// Whether this build has a code generator for the device.
bool can_build(Device device);

// How a graph is scheduled for a device, but for what only the caller knows.
schedule::Options options_for(Device device);
// The same for one that is known by its sheet alone. Error{value} where that is a device that kernels are not made for.
schedule::Options options_for(std::shared_ptr<const cost::Sheet> sheet);

}  // namespace ridge::linker

// A cubin in, kernels that can be launched out.
//
//   auto module = Module::load(0, code.cubin, "fused_add_12");
//   Kernel kernel = module->kernel("fused_add_12");
//   const void* arguments[] = {&x, &y, &count};
//   kernel.launch({.grid = {1024}, .block = {256}, .stream = current_stream(device)}, arguments);
//
// A module is unloaded when its last kernel goes, which waits for the device: keep what is used
// again. Safe from any thread.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "ridge/runtime/cuda/driver_types.h"
#include "ridge/runtime/cuda/launch.h"
#include "ridge/runtime/cuda/launch_history.h"

namespace ridge::runtime::cuda {

class Kernel;

class Module : public std::enable_shared_from_this<Module> {
 public:
  // `name` is for errors. Error{device} if the bytes are no code for that device.
  static std::shared_ptr<Module> load(int device, std::string_view cubin, std::string name);
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;
  ~Module();

  // Error{unknown_name} if the module has no such kernel.
  Kernel kernel(const std::string& symbol);
  int device() const { return device_; }

 private:
  Module(int device, std::string name) : device_(device), name_(std::move(name)) {}

  int device_;
  std::string name_;
  ModuleHandle handle_ = nullptr;
};

class Kernel {
 public:
  Kernel() = default;  // empty: may not be launched

  // Queues the kernel on the stream; `arguments` point to the values of its parameters, which are
  // copied before this returns. Error{value} if the shape exceeds a limit, Error{device} if the
  // launch fails; a failure while it runs is found by a later wait.
  void launch(const Launch& shape, std::span<const void* const> arguments) const;

  // How many blocks of that shape a multiprocessor holds at once.
  int max_active_blocks(int threads, size_t dynamic_shared_bytes) const;

  const KernelAttributes& attributes() const;
  const std::string& name() const;
  int device() const;
  FunctionHandle handle() const;
  explicit operator bool() const { return body_ != nullptr; }

 private:
  friend class Module;
  friend class PreparedLaunch;

  struct Body;

  void allow(const Launch& shape) const;

  std::shared_ptr<Body> body_;
};

// A kernel and the shape of its launches, checked once: what a program launches again and again.
class PreparedLaunch {
 public:
  // Errors are those of Kernel::launch. The stream of the shape is not looked at.
  PreparedLaunch(Kernel kernel, const Launch& shape);

  // As Kernel::launch. The stream must be of the kernel's device, and its context be current.
  void launch(Stream stream, const void* const* arguments) const;

  const Kernel& kernel() const { return kernel_; }
  // The same launch as a node of a graph; points to the arguments.
  KernelNodeParameters as_node(const void* const* arguments) const;

 private:
  Kernel kernel_;
  LaunchConfig config_{};  // without stream and attributes
  std::array<LaunchAttribute, 2> attributes_{};
};

}  // namespace ridge::runtime::cuda

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

#include <atomic>
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

  const KernelAttributes& attributes() const { return body_->attributes; }
  const std::string& name() const { return *body_->name; }
  int device() const { return body_->module->device(); }
  FunctionHandle handle() const { return body_->function; }
  explicit operator bool() const { return body_ != nullptr; }

 private:
  friend class Module;

  struct Body {
    std::shared_ptr<Module> module;
    FunctionHandle function = nullptr;
    LaunchName name;
    KernelAttributes attributes;
    LaunchLimits limits;
    std::atomic<uint32_t> allowed_shared_bytes{0};  // dynamic, as the driver was told
    std::atomic<bool> allows_large_clusters{false};
  };

  void allow(const Launch& shape) const;

  std::shared_ptr<Body> body_;
};

}  // namespace ridge::runtime::cuda

#include "ridge/runtime/cuda/module.h"

#include <atomic>
#include <utility>

#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "ridge/runtime/cuda/check.h"
#include "ridge/runtime/cuda/context.h"
#include "ridge/runtime/cuda/cubin.h"
#include "ridge/runtime/cuda/cuda_memory.h"
#include "ridge/runtime/cuda/driver_api.h"

namespace ridge::runtime::cuda {
namespace {

KernelAttributes attributes_of(FunctionHandle function) {
  const auto attribute = [&](FunctionAttribute which) {
    int value = 0;
    check(driver().func_get_attribute, &value, which, function);
    return value;
  };
  return {.registers = attribute(FunctionAttribute::registers),
          .local_bytes = attribute(FunctionAttribute::local_bytes),
          .static_shared_bytes = attribute(FunctionAttribute::static_shared_bytes),
          .constant_bytes = attribute(FunctionAttribute::constant_bytes),
          .max_threads_per_block = attribute(FunctionAttribute::max_threads_per_block),
          .binary_version = attribute(FunctionAttribute::binary_version)};
}

// What was captured last on a stream; null where that is no single node, or the driver cannot say:
// such a launch is changed by capturing it again.
GraphNodeHandle last_node(Stream stream) {
  CaptureStatus status = CaptureStatus::none;
  unsigned long long id = 0;
  GraphHandle graph = nullptr;
  const GraphNodeHandle* nodes = nullptr;
  size_t count = 0;
  const DriverResult result = driver().stream_get_capture_info(
      reinterpret_cast<StreamHandle>(stream.handle), &status, &id, &graph, &nodes, &count);
  const bool is_known = result == DriverResult::success && status == CaptureStatus::active;
  return is_known && count == 1 ? nodes[0] : nullptr;
}

}  // namespace

struct Kernel::Body {
  std::shared_ptr<Module> module;
  FunctionHandle function = nullptr;
  LaunchName name;
  KernelAttributes attributes;
  LaunchLimits limits;
  std::atomic<uint32_t> allowed_shared_bytes{0};  // dynamic, as the driver was told
  std::atomic<bool> allows_large_clusters{false};
};

const KernelAttributes& Kernel::attributes() const { return body_->attributes; }
const std::string& Kernel::name() const { return *body_->name; }
int Kernel::device() const { return body_->module->device(); }
FunctionHandle Kernel::handle() const { return body_->function; }

std::shared_ptr<Module> Module::load(int device, std::string_view cubin, std::string name) {
  const std::string problem = cubin_problem(cubin);
  RIDGE_CHECK(problem.empty(), .code = ErrorCode::device,
              .expected = concat("a cubin for `", name, "`"), .given = problem);
  const ContextScope scope(device);
  const RelaxedCapture relaxed;  // a kernel may be needed first while a graph is captured
  std::shared_ptr<Module> module(new Module(device, std::move(name)));
  check_for(module->name_, driver().module_load_data, &module->handle_, cubin.data());
  return module;
}

Module::~Module() {
  if (handle_ == nullptr) return;
  try {
    const ContextScope scope(device_);
    const RelaxedCapture relaxed;
    // What was launched may still run. A capture in progress would be spoiled by waiting.
    if (!CaptureCount::is_any_active()) driver().ctx_synchronize();
    driver().module_unload(handle_);
  } catch (...) {
    // A lost device, or the end of the process: the driver has freed it, or will.
  }
}

Kernel Module::kernel(const std::string& symbol) {
  const ContextScope scope(device_);
  const RelaxedCapture relaxed;  // code is loaded lazily, so asking for a kernel may load it
  FunctionHandle function = nullptr;
  const DriverResult result = driver().module_get_function(&function, handle_, symbol.c_str());
  RIDGE_CHECK(result != DriverResult::not_found, .code = ErrorCode::unknown_name,
              .expected = concat("a kernel of module `", name_, "`"), .given = "`" + symbol + "`",
              .hint = "it must be declared extern \"C\" __global__");
  if (result != DriverResult::success) {
    throw_driver_error(driver().module_get_function.symbol(), result, symbol);
  }
  Kernel kernel;
  kernel.body_ = std::make_shared<Kernel::Body>();
  kernel.body_->module = shared_from_this();
  kernel.body_->function = function;
  kernel.body_->name = std::make_shared<const std::string>(symbol);
  kernel.body_->attributes = attributes_of(function);
  kernel.body_->limits = launch_limits(device_properties(device_));
  return kernel;
}

// What the driver grants only to who asks. Two threads may both ask: asking twice does no harm.
void Kernel::allow(const Launch& shape) const {
  if (shape.shared_bytes > body_->allowed_shared_bytes.load(std::memory_order_relaxed) &&
      shape.shared_bytes + static_cast<uint32_t>(body_->attributes.static_shared_bytes) >
          kDeclaredSharedBytes) {
    // All there is, so that no later launch lowers what another thread has just been granted.
    const uint64_t most =
        body_->limits.shared_bytes - static_cast<uint64_t>(body_->attributes.static_shared_bytes);
    check_for(name(), driver().func_set_attribute, body_->function,
              FunctionAttribute::max_dynamic_shared_bytes, static_cast<int>(most));
    body_->allowed_shared_bytes.store(static_cast<uint32_t>(most), std::memory_order_relaxed);
  }
  if (shape.cluster.count() > kPortableClusterSize &&
      !body_->allows_large_clusters.load(std::memory_order_relaxed)) {
    check_for(name(), driver().func_set_attribute, body_->function,
              FunctionAttribute::non_portable_cluster_allowed, 1);
    body_->allows_large_clusters.store(true, std::memory_order_relaxed);
  }
}

void Kernel::launch(const Launch& shape, std::span<const void* const> arguments) const {
  const PreparedLaunch prepared(*this, shape);
  const Device device{DeviceKind::cuda, static_cast<int8_t>(this->device())};
  RIDGE_CHECK(
      shape.stream.device == device, .code = ErrorCode::device,
      .expected = concat("a stream of ", ridge::to_text(device), " for kernel `", name(), "`"),
      .given = ridge::to_text(shape.stream.device));
  const ContextScope scope(this->device());
  prepared.launch(shape.stream, arguments.data());
}

PreparedLaunch::PreparedLaunch(Kernel kernel, const Launch& shape) : kernel_(std::move(kernel)) {
  RIDGE_CHECK(kernel_.body_ != nullptr, .code = ErrorCode::state, .expected = "a loaded kernel",
              .given = "an empty one");
  check_launch(shape, kernel_.body_->limits, kernel_.attributes(), kernel_.name());
  const ContextScope scope(kernel_.device());
  kernel_.allow(shape);
  unsigned count = 0;
  if (shape.cluster != Dim3{} && !shape.is_cluster_in_code) {
    attributes_[count].id = LaunchAttributeId::cluster_dimension;
    attributes_[count++].value.cluster = {shape.cluster.x, shape.cluster.y, shape.cluster.z};
  }
  if (shape.dependent_launch) {
    attributes_[count].id = LaunchAttributeId::programmatic_serialization;
    attributes_[count++].value.programmatic_serialization = 1;
  }
  config_ = {shape.grid.x,  shape.grid.y,       shape.grid.z, shape.block.x, shape.block.y,
             shape.block.z, shape.shared_bytes, nullptr,      nullptr,       count};
}

void PreparedLaunch::launch(Stream stream, const void* const* arguments) const {
  const Kernel::Body& body = *kernel_.body_;
  LaunchConfig config = config_;
  config.stream = reinterpret_cast<StreamHandle>(stream.handle);
  config.attributes = const_cast<LaunchAttribute*>(attributes_.data());  // only read
  // Before the call: where launches block, the call itself reports what the kernel did wrong.
  CapturedLaunches::Launch* const captured = CapturedLaunches::take(body.name, kernel_.body_);
  if (captured == nullptr) {
    launch_history(body.module->device()).add(body.name, stream.handle);
  }
  // The driver copies the arguments and writes to none of them.
  check_for(*body.name, driver().launch_kernel, &config, body.function,
            const_cast<void**>(arguments), nullptr);
  if (captured != nullptr) captured->node = last_node(stream);
}

KernelNodeParameters PreparedLaunch::as_node(const void* const* arguments) const {
  return {.function = kernel_.handle(),
          .grid_x = config_.grid_x,
          .grid_y = config_.grid_y,
          .grid_z = config_.grid_z,
          .block_x = config_.block_x,
          .block_y = config_.block_y,
          .block_z = config_.block_z,
          .shared_bytes = config_.shared_bytes,
          .arguments = const_cast<void**>(arguments),
          .extra = nullptr,
          .kernel = nullptr,
          .context = nullptr};
}

int Kernel::max_active_blocks(int threads, size_t dynamic_shared_bytes) const {
  RIDGE_CHECK(body_ != nullptr, .code = ErrorCode::state, .expected = "a loaded kernel",
              .given = "an empty one");
  const ContextScope scope(device());
  int blocks = 0;
  check_for(name(), driver().max_active_blocks, &blocks, body_->function, threads,
            dynamic_shared_bytes);
  return blocks;
}

}  // namespace ridge::runtime::cuda

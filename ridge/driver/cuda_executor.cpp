#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "ridge/core/device_copy.h"
#include "ridge/core/device_runtime.h"
#include "ridge/cost/price.h"
#include "ridge/driver/cuda_kernels.h"
#include "ridge/driver/cuda_product.h"
#include "ridge/driver/executor.h"
#include "ridge/expr/evaluate.h"
#include "ridge/runtime/cuda/cuda_runtime.h"

namespace ridge::driver {
namespace {

using runtime::cuda::Launch;

std::vector<std::string> notes_of(const schedule::Plan& plan, const schedule::KernelCall& call) {
  if (plan.sheet == nullptr || !call.sizes.empty()) return {};
  const cost::KernelNest nest = cost::nest_of(call.kernel, {});
  const cost::Price price = cost::price(nest, *plan.sheet, {.resident = plan.resident});
  return {concat("predicted on ", plan.sheet->name, ": ", 1e6 * price.predicted, " us, floor ",
                 1e6 * price.floor, " us, bound by ", name(price.bound))};
}

// Sizes are known when a plan is made for a GPU, so there are no params.
int64_t blocks_of(const codegen::CudaKernel& code) {
  return expr::evaluate(code.blocks, expr::Leaves()).as_integer();
}

class CudaExecutor final : public Executor {
 public:
  CudaExecutor(const schedule::Plan& plan, int device)
      : plan_(plan), device_{DeviceKind::cuda, static_cast<int8_t>(device)} {
    std::vector<CudaSource> sources;
    std::vector<size_t> calls;  // of the sources
    for (size_t i = 0; i < plan.calls.size(); ++i) {
      const schedule::KernelCall& call = plan.calls[i];
      products_.push_back(call.product ? CudaProduct::make(*call.product, device) : nullptr);
      if (products_[i] != nullptr) {
        workspace_bytes_ = std::max(workspace_bytes_, products_[i]->workspace_bytes());
        continue;
      }
      sources.push_back({&call.kernel, notes_of(plan, call)});
      calls.push_back(i);
    }
    const auto built = build_cuda(sources, device);
    kernels_.resize(plan.calls.size());
    blocks_.resize(plan.calls.size());
    for (size_t i = 0; i < built.size(); ++i) {
      kernels_[calls[i]] = built[i];
      blocks_[calls[i]] = blocks_of(built[i]->code);
      can_fail_ |= built[i]->code.sets_status;
    }
  }

  std::optional<Failure> run(const Run& run) const override {
    runtime::cuda::CudaRuntime& runtime = runtime::cuda::cuda_runtime();
    const Stream stream = runtime.current_stream(device_);
    Tensor statuses, workspace;
    if (workspace_bytes_ > 0) {
      workspace = Tensor::empty({static_cast<int64_t>(workspace_bytes_)}, u8, device_);
    }
    if (can_fail_) {
      statuses = Tensor::empty({static_cast<int64_t>(kernels_.size())}, i32, device_);
      runtime.fill(device_address(statuses), 0, 4 * kernels_.size(), stream);
    }
    for (size_t i = 0; i < kernels_.size(); ++i) {
      const Event before = run.seconds.empty() ? Event() : Event::record(stream);
      if (products_[i] != nullptr) {
        void* const bytes = workspace_bytes_ > 0 ? device_address(workspace) : nullptr;
        products_[i]->launch({run.memory, bytes, stream});
      } else {
        launch(i, run.memory, statuses, stream);
      }
      if (run.seconds.empty()) continue;
      run.seconds[i] = 1e-6 * Event::record(stream).elapsed_us_since(before);
    }
    return can_fail_ ? first_failure(statuses) : std::nullopt;
  }

 private:
  void launch(size_t call, std::span<void* const> memory, const Tensor& statuses,
              Stream stream) const {
    const CudaBuilt& built = *kernels_[call];
    if (blocks_[call] == 0) return;
    SmallVector<void*, 16> buffers;
    for (const int id : plan_.calls[call].buffers) {
      buffers.push_back(memory[static_cast<size_t>(id)]);
    }
    if (built.code.sets_status) {
      buffers.push_back(static_cast<int32_t*>(device_address(statuses)) + call);
    }
    SmallVector<const void*, 16> arguments;
    for (void*& buffer : buffers) arguments.push_back(&buffer);
    const Launch shape{.grid = {static_cast<uint32_t>(blocks_[call])},
                       .block = {static_cast<uint32_t>(built.code.threads)},
                       .shared_bytes = static_cast<uint32_t>(built.code.dynamic_shared_bytes),
                       .stream = stream};
    built.kernel.launch(shape, std::span<const void* const>(arguments.data(), arguments.size()));
  }

  static std::optional<Failure> first_failure(const Tensor& statuses) {
    const std::vector<int32_t> values = to_device(statuses, kCpu).to_vector<int32_t>();
    for (size_t i = 0; i < values.size(); ++i) {
      if (values[i] != 0) return Failure{i, values[i]};
    }
    return std::nullopt;
  }

  const schedule::Plan& plan_;
  Device device_;
  // By call: a kernel, or the library's product.
  std::vector<std::shared_ptr<const CudaBuilt>> kernels_;
  std::vector<std::shared_ptr<const CudaProduct>> products_;
  size_t workspace_bytes_ = 0;  // of the product that needs most
  std::vector<int64_t> blocks_;
  bool can_fail_ = false;
};

}  // namespace

std::unique_ptr<Executor> make_cuda_executor(const schedule::Plan& plan, int device) {
  return std::make_unique<CudaExecutor>(plan, device);
}

}  // namespace ridge::driver

#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "ridge/core/device_copy.h"
#include "ridge/core/device_runtime.h"
#include "ridge/cost/price.h"
#include "ridge/driver/cuda_batch.h"
#include "ridge/driver/cuda_kernels.h"
#include "ridge/driver/executor.h"
#include "ridge/expr/evaluate.h"
#include "ridge/runtime/cuda/cuda_runtime.h"

namespace ridge::driver {
namespace {

using runtime::cuda::Launch;

std::vector<std::string> notes_of(const schedule::Plan& plan, const schedule::KernelCall& call) {
  const auto sizes = schedule::known_sizes(call);
  if (plan.sheet == nullptr || !sizes) return {};
  const cost::KernelNest nest = cost::nest_of(call.kernel, *sizes);
  const cost::Price price = cost::price(nest, *plan.sheet, {.resident = plan.resident});
  return {concat("predicted on ", plan.sheet->name, ": ", 1e6 * price.predicted, " us, floor ",
                 1e6 * price.floor, " us, bound by ", name(price.bound))};
}

// Sizes are known when a plan is made for a GPU, so there are no params but those of a batch.
int64_t blocks_of(const codegen::CudaKernel& code) {
  return expr::evaluate(code.blocks, expr::Leaves()).as_integer();
}

class CudaExecutor final : public Executor {
 public:
  CudaExecutor(const schedule::Plan& plan, int device)
      : plan_(plan), device_{DeviceKind::cuda, static_cast<int8_t>(device)} {
    std::vector<CudaSource> sources;
    for (const schedule::KernelCall& call : plan.calls) {
      sources.push_back({&call.kernel, batch_shape(call), notes_of(plan, call)});
    }
    kernels_ = build_cuda(sources, device);
    for (size_t i = 0; i < kernels_.size(); ++i) {
      const codegen::CudaKernel& code = kernels_[i]->code;
      const bool is_batch = code.batch.entries > 0;
      tables_.push_back(is_batch ? std::optional(batch_table(code, plan.calls[i])) : std::nullopt);
      blocks_.push_back(is_batch ? tables_[i]->blocks() : blocks_of(code));
      can_fail_ |= code.sets_status;
    }
  }

  std::optional<Failure> run(const Run& run) const override {
    runtime::cuda::CudaRuntime& runtime = runtime::cuda::cuda_runtime();
    const Stream stream = runtime.current_stream(device_);
    Tensor statuses;
    if (can_fail_) {
      statuses = Tensor::empty({static_cast<int64_t>(kernels_.size())}, i32, device_);
      runtime.fill(device_address(statuses), 0, 4 * kernels_.size(), stream);
    }
    for (size_t i = 0; i < kernels_.size(); ++i) {
      const Event before = run.seconds.empty() ? Event() : Event::record(stream);
      launch(i, run.memory, statuses, stream);
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
    std::optional<codegen::BatchTable> table = tables_[call];  // of this run
    if (table) {
      for (void* const shared : place_entries(*table, built.code, plan_.calls[call], memory)) {
        buffers.push_back(shared);
      }
    }
    for (const int id : plan_.calls[call].buffers) {
      buffers.push_back(memory[static_cast<size_t>(id)]);
    }
    if (built.code.sets_status) {
      buffers.push_back(static_cast<int32_t*>(device_address(statuses)) + call);
    }
    SmallVector<const void*, 16> arguments;
    if (table) arguments.push_back(table->data());
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
  std::vector<std::shared_ptr<const CudaBuilt>> kernels_;
  std::vector<std::optional<codegen::BatchTable>> tables_;  // of batches
  std::vector<int64_t> blocks_;
  bool can_fail_ = false;
};

}  // namespace

std::unique_ptr<Executor> make_cuda_executor(const schedule::Plan& plan, int device) {
  return std::make_unique<CudaExecutor>(plan, device);
}

}  // namespace ridge::driver

#include "ridge/execute/cuda_call.h"

#include <algorithm>
#include <optional>

#include "ridge/base/knobs.h"
#include "ridge/base/small_vector.h"
#include "ridge/execute/cuda_batch.h"
#include "ridge/execute/cuda_product.h"
#include "ridge/runtime/cuda/tensor_map.h"

namespace ridge::execute {
namespace {

using runtime::cuda::CudaGraph;
using runtime::cuda::Launch;
using runtime::cuda::PreparedLaunch;

Launch shape_of(const BuiltCudaKernel& kernel, int64_t blocks) {
  return {.grid = {static_cast<uint32_t>(blocks)},
          .block = {static_cast<uint32_t>(kernel.threads)},
          .cluster = {static_cast<uint32_t>(kernel.cluster)},
          .is_cluster_in_code = true,
          .shared_bytes = static_cast<uint32_t>(kernel.dynamic_shared_bytes),
          .dependent_launch = kernel.uses_pdl && knob_int(Knob::graphs) >= 2};
}

class GeneratedCall final : public CudaCall {
 public:
  GeneratedCall(const ExecutablePlan& plan, size_t number,
                std::shared_ptr<const BuiltCudaKernel> kernel, std::span<const int64_t> sizes)
      : kernel_(std::move(kernel)), number_(number), sizes_(sizes.begin(), sizes.end()) {
    for (const int id : plan.calls[number].buffers) buffers_.push_back(static_cast<size_t>(id));
    // A grid of no blocks has nothing to do, and may not be launched.
    const int64_t blocks = block_count(kernel_->blocks, sizes_);
    if (blocks > 0) launch_.emplace(kernel_->kernel, shape_of(*kernel_, blocks));
  }

  void launch(const CallMemory& memory, Stream stream) const override {
    if (!launch_) return;
    int32_t* status = nullptr;
    launch_->launch(stream, Arguments(*this, memory, status).data());
  }

  bool update_memory(CudaGraph& graph, size_t launch, const CallMemory& memory) const override {
    if (!launch_) return true;
    int32_t* status = nullptr;
    return graph.set_arguments(launch, *launch_, Arguments(*this, memory, status).data());
  }

  bool can_fail() const override { return kernel_->sets_status; }

 private:
  // Where the driver finds the value of each argument: in the memory of the run itself.
  class Arguments {
   public:
    Arguments(const GeneratedCall& call, const CallMemory& memory, int32_t*& status) {
      for (const size_t buffer : call.buffers_) pointers_.push_back(&memory.buffers[buffer]);
      // As `int` its low half is what is read: hosts of CUDA are little-endian.
      for (const int64_t& size : call.sizes_) pointers_.push_back(&size);
      if (!call.can_fail()) return;
      status = memory.statuses + call.number_;
      pointers_.push_back(&status);
    }
    const void* const* data() const { return pointers_.data(); }

   private:
    SmallVector<const void*, 24> pointers_;
  };

  std::shared_ptr<const BuiltCudaKernel> kernel_;
  size_t number_;
  std::vector<int64_t> sizes_;
  std::vector<size_t> buffers_;
  std::optional<PreparedLaunch> launch_;
};

// A kernel over tiles. Extents and strides of its tensor maps are settled once; their addresses, for each
// launch.
class TileCall final : public CudaCall {
 public:
  TileCall(const ExecutablePlan& plan, size_t number, std::shared_ptr<const BuiltCudaKernel> kernel,
           std::span<const int64_t> sizes)
      : kernel_(std::move(kernel)), number_(number), sizes_(sizes.begin(), sizes.end()) {
    for (const int id : plan.calls[number].buffers) buffers_.push_back(static_cast<size_t>(id));
    const int64_t tiles = block_count(kernel_->blocks, sizes_);
    if (tiles <= 0) return;
    const int64_t blocks = kernel_->most_blocks > 0 ? std::min(tiles, kernel_->most_blocks) : tiles;
    launch_.emplace(kernel_->kernel, shape_of(*kernel_, blocks));
    for (const TensorView& view : kernel_->views) {
      maps_.push_back(runtime::cuda::tensor_map_shape(view, sizes_, 0, kernel_->kernel.name()));
    }
  }

  void launch(const CallMemory& memory, Stream stream) const override {
    if (!launch_) return;
    const Arguments arguments(*this, memory);
    launch_->launch(stream, arguments.data());
  }
  bool update_memory(CudaGraph& graph, size_t launch, const CallMemory& memory) const override {
    if (!launch_) return true;
    const Arguments arguments(*this, memory);
    return graph.set_arguments(launch, *launch_, arguments.data());
  }
  bool can_fail() const override { return kernel_->sets_status; }

 private:
  class Arguments {
   public:
    Arguments(const TileCall& call, const CallMemory& memory) {
      const auto address = [&](int buffer) -> void* const& {
        return memory.buffers[call.buffers_[static_cast<size_t>(buffer)]];
      };
      for (size_t i = 0; i < call.maps_.size(); ++i) {
        runtime::cuda::TensorMapShape shape = call.maps_[i];
        shape.address +=
            reinterpret_cast<runtime::cuda::DevicePointer>(address(call.kernel_->views[i].buffer));
        maps_.push_back(runtime::cuda::encode_tensor_map(shape, call.kernel_->kernel.name()));
      }
      for (const KernelArgument& argument : call.kernel_->arguments) {
        const auto index = static_cast<size_t>(argument.index);
        switch (argument.kind) {
          case KernelArgument::Kind::pointer: pointers_.push_back(&address(argument.index)); break;
          case KernelArgument::Kind::size: pointers_.push_back(&call.sizes_[index]); break;
          case KernelArgument::Kind::tensor_map: pointers_.push_back(&maps_[index]); break;
        }
      }
      if (!call.can_fail()) return;
      status_ = memory.statuses + call.number_;
      pointers_.push_back(&status_);
    }
    Arguments(const Arguments&) = delete;
    Arguments& operator=(const Arguments&) = delete;
    const void* const* data() const { return pointers_.data(); }

   private:
    std::vector<runtime::cuda::TensorMap> maps_;
    int32_t* status_ = nullptr;
    SmallVector<const void*, 24> pointers_;
  };

  std::shared_ptr<const BuiltCudaKernel> kernel_;
  size_t number_;
  std::vector<int64_t> sizes_;
  std::vector<size_t> buffers_;
  std::vector<runtime::cuda::TensorMapShape> maps_;  // of a buffer at address 0
  std::optional<PreparedLaunch> launch_;
};

class BatchCall final : public CudaCall {
 public:
  BatchCall(const ExecutableCall& call, std::shared_ptr<const BuiltCudaKernel> kernel)
      : call_(call),
        kernel_(std::move(kernel)),
        table_(*kernel_, entry_sizes(call)),
        launch_(kernel_->kernel, shape_of(*kernel_, table_.blocks())) {}

  void launch(const CallMemory& memory, Stream stream) const override {
    const Arguments arguments(*this, memory);
    launch_.launch(stream, arguments.data());
  }
  bool update_memory(CudaGraph& graph, size_t launch, const CallMemory& memory) const override {
    const Arguments arguments(*this, memory);
    return graph.set_arguments(launch, launch_, arguments.data());
  }

 private:
  // A table of this run, and what its entries share.
  class Arguments {
   public:
    Arguments(const BatchCall& call, const CallMemory& memory)
        : table_(call.table_),
          common_(table_.place_entries(*call.kernel_, call.call_, memory.buffers)) {
      pointers_.push_back(table_.data());
      for (void* const& buffer : common_) pointers_.push_back(&buffer);
    }
    Arguments(const Arguments&) = delete;
    Arguments& operator=(const Arguments&) = delete;
    const void* const* data() const { return pointers_.data(); }

   private:
    BatchTable table_;
    std::vector<void*> common_;
    SmallVector<const void*, 24> pointers_;
  };

  const ExecutableCall& call_;
  std::shared_ptr<const BuiltCudaKernel> kernel_;
  BatchTable table_;
  PreparedLaunch launch_;
};

class ProductCall final : public CudaCall {
 public:
  explicit ProductCall(std::shared_ptr<const CudaProduct> product) : product_(std::move(product)) {}

  void launch(const CallMemory& memory, Stream stream) const override {
    product_->launch({memory.buffers, memory.workspace, stream});
  }
  // The library's kernels are its own affair.
  bool can_update_memory() const override { return false; }
  bool update_memory(CudaGraph&, size_t, const CallMemory&) const override { return false; }
  size_t workspace_bytes() const override { return product_->workspace_bytes(); }

 private:
  std::shared_ptr<const CudaProduct> product_;
};

}  // namespace

std::unique_ptr<CudaCall> make_kernel_call(const ExecutablePlan& plan, size_t number,
                                           std::shared_ptr<const BuiltCudaKernel> kernel,
                                           std::span<const int64_t> sizes) {
  if (kernel->batch.entries > 0) {
    return std::make_unique<BatchCall>(plan.calls[number], std::move(kernel));
  }
  if (!kernel->arguments.empty()) {
    return std::make_unique<TileCall>(plan, number, std::move(kernel), sizes);
  }
  return std::make_unique<GeneratedCall>(plan, number, std::move(kernel), sizes);
}

std::unique_ptr<CudaCall> make_product_call(const ExecutableCall& call, int device,
                                            std::span<const int64_t> sizes) {
  auto product = call.product ? CudaProduct::make(*call.product, device, sizes) : nullptr;
  if (product == nullptr) return nullptr;
  return std::make_unique<ProductCall>(std::move(product));
}

void choose_product(const ExecutableCall& call, int device, std::span<const int64_t> sizes) {
  make_product_call(call, device, sizes);
}

int64_t workspace_of(std::span<const std::unique_ptr<CudaCall>> calls) {
  size_t bytes = 0;
  for (const auto& call : calls) bytes = std::max(bytes, call->workspace_bytes());
  return static_cast<int64_t>(bytes);
}

}  // namespace ridge::execute

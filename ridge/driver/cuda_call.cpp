#include "ridge/driver/cuda_call.h"

#include <optional>

#include "ridge/base/knobs.h"
#include "ridge/base/small_vector.h"
#include "ridge/expr/evaluate.h"

namespace ridge::driver {
namespace {

using runtime::cuda::CapturedGraph;
using runtime::cuda::Launch;
using runtime::cuda::PreparedLaunch;

// Sizes are known when a plan is made for a GPU, so there are no params.
uint32_t blocks_of(const codegen::CudaKernel& code) {
  return static_cast<uint32_t>(expr::evaluate(code.blocks, expr::Leaves()).as_integer());
}

Launch shape_of(const CudaBuilt& built) {
  return {.grid = {blocks_of(built.code)},
          .block = {static_cast<uint32_t>(built.code.threads)},
          .cluster = {static_cast<uint32_t>(built.code.cluster)},
          .is_cluster_in_code = true,
          .shared_bytes = static_cast<uint32_t>(built.code.dynamic_shared_bytes),
          .overlaps_previous = built.overlaps_previous && knob_int(Knob::graphs) >= 2};
}

class GeneratedCall final : public CudaCall {
 public:
  GeneratedCall(const schedule::Plan& plan, size_t number, std::shared_ptr<const CudaBuilt> built)
      : built_(std::move(built)), number_(number) {
    for (const int id : plan.calls[number].buffers) buffers_.push_back(static_cast<size_t>(id));
    // A grid of no blocks has nothing to do, and may not be launched.
    if (blocks_of(built_->code) > 0) launch_.emplace(built_->kernel, shape_of(*built_));
  }

  void launch(const CallMemory& memory, Stream stream) const override {
    if (!launch_) return;
    int32_t* status = nullptr;
    launch_->launch(stream, Arguments(*this, memory, status).data());
  }

  bool move(CapturedGraph& graph, size_t launch, const CallMemory& memory) const override {
    if (!launch_) return true;
    int32_t* status = nullptr;
    return graph.set_arguments(launch, *launch_, Arguments(*this, memory, status).data());
  }

  bool can_fail() const override { return built_->code.sets_status; }

 private:
  // Where the driver finds the value of each argument: in the memory of the run itself.
  class Arguments {
   public:
    Arguments(const GeneratedCall& call, const CallMemory& memory, int32_t*& status) {
      for (const size_t buffer : call.buffers_) pointers_.push_back(&memory.buffers[buffer]);
      if (!call.can_fail()) return;
      status = memory.statuses + call.number_;
      pointers_.push_back(&status);
    }
    const void* const* data() const { return pointers_.data(); }

   private:
    SmallVector<const void*, 24> pointers_;
  };

  std::shared_ptr<const CudaBuilt> built_;
  size_t number_;
  std::vector<size_t> buffers_;
  std::optional<PreparedLaunch> launch_;
};

}  // namespace

std::unique_ptr<CudaCall> make_kernel_call(const schedule::Plan& plan, size_t number,
                                           std::shared_ptr<const CudaBuilt> built) {
  return std::make_unique<GeneratedCall>(plan, number, std::move(built));
}

}  // namespace ridge::driver

// Products of a plan that cuBLASLt computes.
//
//   const auto product = CudaProduct::make(*call.product, 0);    // null: launch the kernel instead
//   product->launch({memory, workspace of product->workspace_bytes(), stream});
//
// How it is computed is settled when it is made, once for each shape. The workspace is the caller's,
// since a launch that is captured uses it again in every run of its graph; products that run one after
// the other on a stream may share one.
#pragma once

#include <memory>
#include <span>

#include "ridge/execute/executable_plan.h"
#include "ridge/runtime/cuda/matmul.h"

namespace ridge::execute {

struct ProductLaunch {
  std::span<void* const> memory;  // by buffer of the plan
  void* workspace;
  Stream stream;
};

class CudaProduct {
 public:
  // Null where the library has no way to compute it.
  static std::shared_ptr<const CudaProduct> make(const LibraryProduct& product, int device,
                                                 std::span<const int64_t> sizes = {});

  size_t workspace_bytes() const { return workspace_bytes_; }
  void launch(const ProductLaunch& launch) const;

 private:
  struct Part {
    int buffer;
    int64_t first_byte, outer_bytes;
  };

  int64_t outer_ = 1;
  Part lhs_{}, rhs_{}, out_{};
  std::shared_ptr<const runtime::cuda::MatmulPlan> plan_;
  // For inputs at any address: views of the user's may be misaligned.
  std::shared_ptr<const runtime::cuda::MatmulPlan> unaligned_plan_;
  size_t workspace_bytes_ = 0;
};

}  // namespace ridge::execute

// Matrix products by cuBLASLt: a shape in, a plan that can be launched out.
//
//   out[b, m, n] = sum over k of lhs[b, m, k] * rhs[b, k, n]
//
//   const auto plan = matmul_plan(0, {.m = 64, .n = 256, .k = 128,
//                                     .lhs = {DataType::bf16, 128, 1}, .rhs = {DataType::bf16, 256, 1},
//                                     .out = {DataType::bf16, 256, 1}});
//   if (plan != nullptr) plan->launch({x, w, y, workspace, stream});
//
// The library is asked once for each shape which of its algorithms to take; equal shapes share the
// answer, of which a bounded number is kept. Sums are in f32 (f64 for f64), never in tf32, and parts
// of one are added up in that type in a separate step: the same shape gives the same bits.
#pragma once

#include <compare>
#include <memory>

#include "ridge/base/decision.h"
#include "ridge/core/device.h"
#include "ridge/runtime/cuda/cublaslt_api.h"

namespace ridge::runtime::cuda {

// Steps in elements. Along an axis of extent 1 any step will do.
struct MatmulOperand {
  DataType dtype = DataType::f32;
  int64_t row_step = 0, column_step = 0, batch_step = 0;
  uint32_t alignment = 16;  // of the first element, in bytes; more than 16 brings nothing

  auto operator<=>(const MatmulOperand&) const = default;
};

struct MatmulShape {
  int64_t m = 1, n = 1, k = 1, batch = 1;
  MatmulOperand lhs{}, rhs{}, out{};

  auto operator<=>(const MatmulShape&) const = default;
};

// What the library may use beside the matrices: what NVIDIA advises for Hopper.
inline constexpr size_t kMatmulWorkspaceBytes = size_t{32} << 20;

// Whether a shape can be put to the library at all; it may still have no algorithm for it.
Decision can_multiply(const MatmulShape& shape);

struct MatmulLaunch {
  const void* lhs;
  const void* rhs;
  void* out;
  void* workspace;  // of workspace_bytes(), at 256 bytes; used until the stream is through
  Stream stream;
};

class MatmulPlan {
 public:
  virtual ~MatmulPlan() = default;
  virtual size_t workspace_bytes() const = 0;
  // Queues it; several threads may, each with a workspace of its own.
  virtual void launch(const MatmulLaunch& launch) const = 0;
};

// Null where the library has no algorithm. Error{value} unless can_multiply.
std::shared_ptr<const MatmulPlan> make_matmul_plan(const CublasLtApi& api, CublasLtHandle handle,
                                                   const MatmulShape& shape);
// The same from the cache, for a device; Error{device} where there is no cuBLASLt.
std::shared_ptr<const MatmulPlan> matmul_plan(int device, const MatmulShape& shape);

}  // namespace ridge::runtime::cuda

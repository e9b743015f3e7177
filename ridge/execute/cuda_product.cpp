#include "ridge/execute/cuda_product.h"

#include <algorithm>
#include <bit>

#include "ridge/base/error.h"
#include "ridge/expr/evaluate.h"

namespace ridge::execute {
namespace {

using runtime::cuda::DataType;
using runtime::cuda::MatmulOperand;
using runtime::cuda::MatmulShape;

constexpr uint32_t kAlignment = 16;

DataType data_type(DType dtype) {
  if (dtype == bf16) return DataType::bf16;
  if (dtype == f16) return DataType::f16;
  RIDGE_INTERNAL_CHECK(dtype == f32 || dtype == f64, "a product of these types has no library");
  return dtype == f32 ? DataType::f32 : DataType::f64;
}

// What an address is a multiple of that lies `bytes` from a multiple of `base`.
uint32_t alignment_after(int64_t bytes, uint32_t base) {
  const auto distance = static_cast<uint64_t>(bytes);
  return bytes == 0 ? base : std::min(base, uint32_t{1} << std::min(std::countr_zero(distance), 4));
}

bool is_aligned(const void* data) { return reinterpret_cast<uintptr_t>(data) % kAlignment == 0; }

class Numbers {
 public:
  explicit Numbers(std::span<const int64_t> sizes) {
    leaves_.param = [sizes](int index) {
      return expr::Number::of(sizes[static_cast<size_t>(index)]);
    };
  }
  int64_t operator()(const expr::Expr& e) const { return expr::evaluate(e, leaves_).as_integer(); }

 private:
  expr::Leaves leaves_;
};

// Matrices whose buffers start at multiples of 16 bytes, or of an element.
MatmulShape shape_of(const LibraryProduct& product, const Numbers& number, bool is_aligned) {
  const auto operand = [&](const LibraryProduct::Matrix& matrix) {
    const auto bytes = static_cast<uint32_t>(matrix.dtype.bits / 8);
    const uint32_t base = is_aligned ? kAlignment : bytes;
    return MatmulOperand{
        .dtype = data_type(matrix.dtype),
        .row_step = number(matrix.row_step),
        .column_step = number(matrix.column_step),
        .batch_step = number(matrix.batch_step),
        .alignment = std::min(alignment_after(bytes * number(matrix.first), base),
                              alignment_after(bytes * number(matrix.outer_step), base))};
  };
  return {.m = number(product.m),
          .n = number(product.n),
          .k = number(product.k),
          .batch = number(product.batch),
          .lhs = operand(product.lhs),
          .rhs = operand(product.rhs),
          .out = operand(product.out)};
}

}  // namespace

std::shared_ptr<const CudaProduct> CudaProduct::make(const LibraryProduct& product, int device,
                                                     std::span<const int64_t> sizes) {
  const Numbers number(sizes);
  const MatmulShape shape = shape_of(product, number, true);
  if (!can_multiply(shape)) return nullptr;
  auto made = std::make_shared<CudaProduct>();
  made->plan_ = runtime::cuda::matmul_plan(device, shape);
  made->unaligned_plan_ = runtime::cuda::matmul_plan(device, shape_of(product, number, false));
  if (made->plan_ == nullptr || made->unaligned_plan_ == nullptr) return nullptr;
  made->workspace_bytes_ =
      std::max(made->plan_->workspace_bytes(), made->unaligned_plan_->workspace_bytes());
  const auto part = [&](const LibraryProduct::Matrix& matrix) {
    const int64_t bytes = matrix.dtype.bits / 8;
    return Part{matrix.buffer, bytes * number(matrix.first), bytes * number(matrix.outer_step)};
  };
  made->outer_ = number(product.outer);
  made->lhs_ = part(product.lhs);
  made->rhs_ = part(product.rhs);
  made->out_ = part(product.out);
  return made;
}

void CudaProduct::launch(const ProductLaunch& launch) const {
  const auto base = [&](const Part& part) {
    return launch.memory[static_cast<size_t>(part.buffer)];
  };
  const bool is_usual = is_aligned(base(lhs_)) && is_aligned(base(rhs_)) && is_aligned(base(out_));
  const auto& plan = is_usual ? plan_ : unaligned_plan_;
  for (int64_t i = 0; i < outer_; ++i) {
    const auto first = [&](const Part& part) {
      return static_cast<std::byte*>(base(part)) + part.first_byte + i * part.outer_bytes;
    };
    plan->launch({first(lhs_), first(rhs_), first(out_), launch.workspace, launch.stream});
  }
}

}  // namespace ridge::execute

// What the vendor's library of products reaches.
#include <cmath>

#include "ridge/calibrate/cuda_kernels.h"
#include "ridge/calibrate/gpu_probes.h"
#include "ridge/core/device_copy.h"
#include "ridge/runtime/cuda/matmul.h"

namespace ridge::calibrate {
namespace {

using runtime::cuda::MatmulOperand;
using runtime::cuda::MatmulPlan;

// Products of two squares of numbers that are not all alike: zeros would take less power.
class SquareProduct {
 public:
  SquareProduct(GpuProbing& probing, int64_t size, runtime::cuda::DataType dtype)
      : probing_(probing), flops_(2.0 * std::pow(static_cast<double>(size), 3)) {
    const uint32_t alignment = size % 8 == 0 ? 16 : 2;
    const MatmulOperand square{dtype, size, 1, 0, alignment};
    plan_ = runtime::cuda::matmul_plan(
        probing.timer.device().index,
        {.m = size, .n = size, .k = size, .lhs = square, .rhs = square, .out = square});
    if (plan_ == nullptr) return;
    RandomFill random(probing.timer.device());
    lhs_ = random.tensor({size, size}, bf16);
    rhs_ = random.tensor({size, size}, bf16);
    out_ = Tensor::empty({size, size}, bf16, probing.timer.device());
    const auto bytes = static_cast<int64_t>(std::max<size_t>(1, plan_->workspace_bytes()));
    workspace_ = Tensor::empty({bytes}, u8, probing.timer.device());
  }

  bool is_possible() const { return plan_ != nullptr; }
  double flops_per_second() const {
    const auto launch = [&] {
      plan_->launch({device_address(lhs_), device_address(rhs_), device_address(out_),
                     device_address(workspace_), probing_.timer.stream()});
    };
    return flops_ / probing_.timer.time(launch, kEachRound).median;
  }

 private:
  GpuProbing& probing_;
  double flops_;
  std::shared_ptr<const MatmulPlan> plan_;
  Tensor lhs_, rhs_, out_, workspace_;
};

// The mean of two sizes: a large one is slowed by its heat, a small one by its edges.
void add_product_probe(std::vector<Probe>& probes, GpuProbing& probing, const std::string& key,
                       int64_t small, int64_t large) {
  const auto dtype = runtime::cuda::DataType::bf16;
  const auto a = std::make_shared<SquareProduct>(probing, small, dtype);
  const auto b = std::make_shared<SquareProduct>(probing, large, dtype);
  if (!a->is_possible() || !b->is_possible()) return;
  probes.push_back({key, cost::Unit::flops_per_second,
                    [a, b] { return std::sqrt(a->flops_per_second() * b->flops_per_second()); },
                    2});
}

}  // namespace

void add_gpu_library_probes(std::vector<Probe>& probes, GpuProbing& probing) {
  if (!runtime::cuda::cublaslt_availability().is_available) return;
  add_product_probe(probes, probing, "library.bf16", 4096, 8192);
  add_product_probe(probes, probing, "library.bf16.ragged", 1793, 4097);
}

}  // namespace ridge::calibrate

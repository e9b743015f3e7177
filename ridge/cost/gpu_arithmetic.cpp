#include "ridge/cost/gpu_arithmetic.h"

#include "ridge/cost/function_cost.h"
#include "ridge/cost/tuning.h"

namespace ridge::cost {

using namespace tuning;

std::string matrix_key(const Product& product) {
  // Of two types the wider: the narrower one is converted on its way.
  DType widest{DTypeKind::signed_integer, 0};
  for (const Block* operand : {&product.lhs, &product.rhs}) {
    for (const MemoryAccess& access : operand->accesses) {
      if (access.dtype.bits > widest.bits) widest = access.dtype;
    }
  }
  if (widest == bf16) return "matrix.bf16";
  if (widest == f16) return "matrix.f16";
  if (widest == f8e4m3 || widest == f8e5m2) return "matrix.f8";
  if (widest == i8 || widest == u8) return "matrix.i8";
  return "";
}

void GpuArithmetic::add(const Operations& operations, double executions) {
  flops += executions * flops_of(operations);
  fused_ += executions * (operations.fused - operations.double_fused);
  double_fused_ += executions * operations.double_fused;
  double plain = operations.reduction_instructions, doubles = -2.0 * operations.double_fused;
  plain -= 2.0 * (operations.fused - operations.double_fused);
  for (size_t i = 0; i < operations.calls.size(); ++i) {
    const auto function = static_cast<expr::Function>(i);
    const int instructions = expr::info(function).instructions;
    const int calls = operations.calls[i] - operations.double_calls[i];
    doubles += operations.double_calls[i] * instructions;
    if (has_gpu_unit(function)) {
      special_ += executions * calls;
    } else {
      plain += calls * instructions;
    }
  }
  plain -= kTwinSaves * operations.twins * expr::info(expr::Function::sin).instructions;
  plain += operations.conversions * kConversionInstructions;
  plain += operations.index_divisions * kGpuDivisionInstructions;
  plain_ += executions * std::max(0.0, plain);
  double_plain_ += executions * std::max(0.0, doubles);
}

void GpuArithmetic::add_product(const Product& product, double executions) {
  const double count = 2 * executions * product.m * product.n * product.k;
  flops += count;
  const std::string key = matrix_key(product);
  if (!key.empty()) {
    matrix_flops_[key] += count;
  } else {
    (product.is_wide ? double_flops_ : vector_flops_) += count;
  }
}

// A unit that is not in the sheet is not there: the vector unit does it.
double GpuArithmetic::matrix_seconds(Figures& figures) const {
  double seconds = 0;
  for (const auto& [key, count] : matrix_flops_) {
    const auto rate = figures.want(key);
    seconds += count / (rate ? *rate : figures.need_first({"matrix.bf16", "vector.f32.fma"}));
  }
  return seconds;
}

void GpuArithmetic::charge(Bill& bill, Figures& figures) const {
  bill[Resource::plain] += plain_ / figures.need("vector.f32");
  bill[Resource::fma] += (2 * fused_ + vector_flops_) / figures.need("vector.f32.fma");
  if (double_plain_ > 0) bill[Resource::plain] += double_plain_ / figures.need("vector.f64");
  const double doubles = 2 * double_fused_ + double_flops_;
  if (doubles > 0) bill[Resource::fma] += doubles / figures.need("vector.f64.fma");
  bill[Resource::special] += figures.seconds(special_, "special.f32");
  bill[Resource::matrix] += matrix_seconds(figures);
}

double GpuArithmetic::least_seconds(Figures& figures) const {
  double on_matrix_units = 0;
  for (const auto& [key, count] : matrix_flops_) on_matrix_units += count;
  return std::max((flops - on_matrix_units) / figures.need("vector.f32.fma"),
                  matrix_seconds(figures));
}

}  // namespace ridge::cost

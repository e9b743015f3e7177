#include "ridge/cost/gpu_arithmetic.h"

#include <algorithm>

#include "ridge/cost/function_count.h"
#include "ridge/cost/tuning.h"

namespace ridge::cost {

using namespace tuning;

std::string matrix_key(const Product& product) {
  // Of two types the wider: operands of the narrower one are converted.
  DType widest{DTypeKind::signed_integer, 0};
  for (const BasicBlock* operand : {&product.lhs, &product.rhs}) {
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

void GpuArithmetic::add(const GpuInstructions& each, double count) {
  plain_ += count * each.issued;
  half_rate_ += count * each.half_rate;
  special_ += count * each.special;
}

void GpuArithmetic::add_calls(const Operations& operations, double executions, double neighbors) {
  double quotients = operations.quotients;
  for (size_t i = 0; i < operations.calls.size(); ++i) {
    const auto function = static_cast<expr::Function>(i);
    const double doubles = operations.double_calls[i];
    double_plain_ += executions * doubles * expr::info(function).instructions;
    double calls = operations.calls[i] - doubles;
    // What is known of a value in f64 shortens nothing.
    const double near = std::min<double>(calls, operations.near_calls[i]);
    const double less = std::min<double>(calls - near, operations.short_calls[i]);
    calls -= near + less;
    // Random words come in blocks, and the compiler sees that neighbors take theirs from one.
    if (function == expr::Function::philox) calls /= std::clamp(neighbors, 1.0, kPhiloxWords);
    if (function == expr::Function::div) {
      quotients = std::min(quotients, calls);
      calls -= quotients;
    }
    add(gpu_near_instructions(function), executions * near);
    add(gpu_short_instructions(function), executions * less);
    add(gpu_instructions(function), executions * calls);
  }
  add(gpu_quotient_instructions(), executions * quotients);
}

void GpuArithmetic::add(const Operations& operations, double executions, double neighbors) {
  flops += executions * flops_of(operations);
  const double fused = operations.fused - operations.double_fused;
  fused_ += executions * fused;
  double_fused_ += executions * operations.double_fused;
  add_calls(operations, executions, neighbors);
  double_plain_ -= 2 * executions * operations.double_fused;
  plain_ -= 2 * executions * fused;
  add(gpu_sincos_saves(true), -executions * operations.half_sincos_pairs);
  add(gpu_sincos_saves(false),
      -executions * (operations.sincos_pairs - operations.half_sincos_pairs));
  // A shuffle takes the place of several, and what it brings is combined.
  plain_ += executions * (operations.reductions + (kShuffleSlots + 1) * operations.shuffles);
  const double integers = operations.conversions * kGpuConversionInstructions +
                          operations.index_divisions * kGpuDivisionInstructions;
  plain_ += executions * integers;
  half_rate_ += executions * integers;
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

void GpuArithmetic::add_seconds(ResourceTimes& times, Figures& figures) const {
  const double rate = figures.need("vector.f32");  // a lane for each instruction in f32
  const double whole = std::max(0.0, plain_) / rate, half = 2 * std::max(0.0, half_rate_) / rate;
  // What only half of the lanes take leaves room for the others beside it.
  const double fused = (2 * fused_ + vector_flops_) / figures.need("vector.f32.fma");
  times[Resource::alu] += std::max(whole, half - fused);
  times[Resource::fma] += fused;
  if (double_plain_ > 0) times[Resource::alu] += double_plain_ / figures.need("vector.f64");
  const double doubles = 2 * double_fused_ + double_flops_;
  if (doubles > 0) times[Resource::fma] += doubles / figures.need("vector.f64.fma");
  times[Resource::special] += figures.seconds(special_, "special.f32");
  times[Resource::matrix] += matrix_seconds(figures);
}

double GpuArithmetic::least_seconds(Figures& figures) const {
  double on_matrix_units = 0;
  for (const auto& [key, count] : matrix_flops_) on_matrix_units += count;
  return std::max((flops - on_matrix_units) / figures.need("vector.f32.fma"),
                  matrix_seconds(figures));
}

}  // namespace ridge::cost

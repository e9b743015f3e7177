// What the units of a GPU have to compute: a part of price_gpu.cpp.
#pragma once

#include <map>

#include "ridge/cost/gpu_functions.h"
#include "ridge/cost/price_parts.h"
#include "ridge/cost/tuning.h"

namespace ridge::cost {

struct GpuArithmetic {
  double flops = 0;

  // `neighbors`: contiguous elements of a thread.
  void add(const Operations& operations, double executions, double neighbors = 1);
  // Accesses, each an instruction and what computes its address.
  void add_accesses(double count) { plain_ += tuning::kAccessInstructions * count; }
  // Operands of 16 and of 8 bits go to the matrix unit, others to the vector unit.
  void add_product(const Product& product, double executions);
  // Seconds of all that was added, by resource.
  void charge(Bill& bill, Figures& figures) const;
  // At full speed, each on its own unit.
  double least_seconds(Figures& figures) const;

 private:
  double matrix_seconds(Figures& figures) const;

  void add_calls(const Operations& operations, double executions, double neighbors);
  void add(const GpuInstructions& each, double count);

  // Instructions that are no FMA, in f32 or narrower, and of these what half as many lanes take.
  double plain_ = 0, half_rate_ = 0;
  double fused_ = 0, special_ = 0;
  double double_plain_ = 0, double_fused_ = 0;    // and in f64, which has no special unit
  double vector_flops_ = 0, double_flops_ = 0;    // of products, without a matrix unit
  std::map<std::string, double> matrix_flops_{};  // by figure
};

// The figure for products of such operands, "matrix.bf16"; empty for the vector unit.
std::string matrix_key(const Product& product);

}  // namespace ridge::cost

// What the units of a GPU have to compute: a part of price_gpu.cpp.
#pragma once

#include <map>

#include "ridge/cost/resource_times.h"
#include "ridge/cost/tuning.h"
#include "ridge/expr/function.h"

namespace ridge::cost {

// What functions of reals take of the units of a GPU, in instructions of one lane: those that its
// generated code runs, counted in the machine code of sm_90a (NVRTC 13.0) without the calls that
// only unusual arguments make. Others of the closed set of functions are one instruction.
struct GpuInstructions {
  double issued = 1;     // of all kinds: a scheduler issues one a clock
  double half_rate = 0;  // of those, what only half as many lanes take: compares, logic, integers
  double special = 0;    // of those, by the unit for special functions
};

// In full: below 2 units in the last place.
GpuInstructions gpu_instructions(expr::Function function);
// As exact as a value of 16 bits needs it.
GpuInstructions gpu_short_instructions(expr::Function function);
// A sine or cosine of an argument between -1 and 1, which needs no reduction.
GpuInstructions gpu_near_instructions(expr::Function function);
// A quotient by a number, of which the reciprocal is computed once for all.
GpuInstructions gpu_quotient_instructions();
// What a sine saves where the cosine of its argument is there.
GpuInstructions gpu_sincos_saves(bool is_short);

struct GpuArithmetic {
  double flops = 0;

  // `neighbors`: contiguous elements of a thread.
  void add(const Operations& operations, double executions, double neighbors = 1);
  // Accesses, each an instruction and what computes its address.
  void add_accesses(double count) { plain_ += tuning::kAccessInstructions * count; }
  // Operands of 16 and of 8 bits go to the matrix unit, others to the vector unit.
  void add_product(const Product& product, double executions);
  // Seconds of all that was added, by resource.
  void add_seconds(ResourceTimes& times, Figures& figures) const;
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

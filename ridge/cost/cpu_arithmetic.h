// What a CPU's vector units take for the functions of a kernel: a part of price_cpu.cpp.
#pragma once

#include "ridge/cost/cpu_memory.h"

namespace ridge::cost {

inline constexpr Resource kCpuArithmetic[] = {Resource::fma, Resource::alu, Resource::special};
inline constexpr Resource kLatency[] = {Resource::latency};

class CpuArithmetic {
 public:
  CpuArithmetic(const Sheet& sheet, const ThreadRates& rates)
      : sheet_(sheet), rates_(rates), lanes_(sheet.need("lanes", "a price")) {}

  double lanes() const { return lanes_; }
  // Seconds of one thread at so many points, lanes that are computed for nothing included; on the
  // times by resource.
  double seconds(const Operations& operations, double points, ResourceTimes& times);
  // Lanes that are computed where `executions` of them are wanted. Without a vector loop around,
  // all but one are for nothing.
  double padded(double executions, const Nest* lanes) const;
  // Each step of a reduction waits for the one before it: there are several partial sums along a row, or one for each
  // lane where lanes hold rows.
  double waiting(const BasicBlock& block, double executions, const Nest* lanes) const;
  // Of all functions so far, were they to overlap as well as they ever did, and divisions, which
  // have a unit of their own, to run beside the polynomials.
  double special_at_best() const { return special_at_best_; }
  // Of all other instructions so far, were each sum to share one with a product: LLVM finds more
  // pairs than are counted.
  double units_at_best() const { return units_at_best_; }

 private:
  double function_seconds(expr::Function function) const;
  double least_function_seconds(expr::Function function) const;
  void note_at_best(const Operations& operations, double points);

  const Sheet& sheet_;
  const ThreadRates& rates_;
  double lanes_;
  double special_at_best_ = 0, units_at_best_ = 0;
};

// Reductions whose lanes are added up when a vector loop ends: those right inside it.
double combines(const Nest& nest);

}  // namespace ridge::cost

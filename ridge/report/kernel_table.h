// The kernels of a program as rows of figures, and as a table for people.
//
//   to_text(rows)
//
//   name                ops         layer or lines    bytes  flops  ...
//   linear_3f2a91c0     matmul add  block.0.mlp.up   147968  67584
//   fused_add_5c0e7712  add mul*2   train.cpp:12,14   65536   8192
//   all 2                                            213504  75776
//
//   ...  floor, us  predicted  measured  of reached  bound     regime
//              2.1        3.0       3.9        74 %  fma       compute
//              0.6        2.4       2.9        41 %  overhead  overhead
//              2.7        5.4       6.8        60 %
//
// Kernels stand slowest first, by the mean of their launches, if any was timed; else in the order
// they run, without what needs a time. Bound names the resource that binds the kernel, and the
// percentage is how much of the measured time it would need at the best rate that it was measured to
// reach. The last row is one run of the program.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ridge/cost/price.h"
#include "ridge/schedule/plan.h"

namespace ridge::report {

// A kernel of a program as a row of figures: what it computes, what that needs, what the cost model
// says of it, and, where it was timed, what it took.
//
//   std::vector<KernelRow> rows = rows_of(plan, graph);      // driver::rows_of adds the times
//   rows[0].price->predicted, rows[0].reached_fraction()

enum class KernelClass : uint8_t { product, reduction, pointwise, movement };
inline constexpr size_t kKernelClassCount = static_cast<size_t>(KernelClass::movement) + 1;
std::string_view name(KernelClass kind);  // "products", "reductions", ...

struct KernelRow {
  std::string name;
  std::vector<std::string> ops;     // without views, unless there is nothing else
  std::vector<std::string> scopes;  // layers the ops were called in: "block.0.attention"
  std::vector<std::string> lines;   // of the user's program
  int64_t bytes = 0;                // to and from memory, in one launch
  int64_t flops = 0;                // an FMA counts as 2
  int64_t launches = 0;             // while timing was on
  double total_us = 0;              // of those launches
  KernelClass kind = KernelClass::pointwise;
  std::optional<cost::Price> price{};  // none where sizes are not known

  std::optional<double> measured_us() const;  // the mean of its launches
  // The busiest resource would need this share of the time that was measured, at the best rate that it
  // ever reached: a measured rate, which another measurement may exceed.
  std::optional<double> reached_fraction() const;
  // What was measured, else what is predicted, else 0.
  double time_us() const;
};

// In the order they run, priced on the plan's sheet as parts of one program: what all of it leaves
// in a cache is there in the next run.
std::vector<KernelRow> rows_of(const schedule::Plan& plan, const graph::Graph& graph);

// Figures that the prices of these rows wanted and the sheet lacks.
std::vector<std::string> absent_of(const std::vector<KernelRow>& rows);

// "add mul*3 exp": each op once, in order of appearance, with how often it occurs.
std::string ops_text(const std::vector<std::string>& ops);

// "block.0.{attention.output mlp_norm}", or where no layer is known "demo_model.cpp:48,52".
std::string place_text(const KernelRow& row);

// Was any of them launched while timing was on?
bool is_timed(const std::vector<KernelRow>& rows);

// `limit` rows are shown, 0 for all; one more sums up those left out.
std::string to_text(const std::vector<KernelRow>& rows, size_t limit = 0);

// Whose figures the prices of this machine's kernels rest on: measured ones, or a stand-in's.
// `gpu_name`: what the GPU they run on calls itself; empty on a CPU.
std::string figures_text(const cost::Sheet& sheet, std::string_view gpu_name = {});

}  // namespace ridge::report

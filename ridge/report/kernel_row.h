// A kernel of a program as a row of figures: what it computes, what that needs, what the cost model
// says of it, and, where it was timed, what it took.
//
//   std::vector<KernelRow> rows = rows_of(plan, graph);      // driver::rows_of adds the times
//   rows[0].price->predicted, rows[0].reached_fraction()
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ridge/cost/price.h"
#include "ridge/schedule/plan.h"

namespace ridge::report {

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

}  // namespace ridge::report

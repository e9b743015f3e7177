// Timing the cases of `ridge bench`, and the model's word on each.
#pragma once

#include <functional>
#include <optional>

#include "bench_cases.h"
#include "ridge/cost/sheet.h"

namespace ridge::command {

struct CaseResult {
  std::string name;
  size_t kernels = 0;
  double seconds = 0;    // sum over its kernels of the median
  double spread = 0;     // relative: half the distance of the quartiles, of the noisiest kernel
  double floor = 0;      // seconds
  double predicted = 0;  // seconds
  double error = 0;      // median over the rounds of predicted / measured, less 1
  std::string bound;     // the resource that decides the slowest kernel
  std::string regime;
  double reached = 0;  // the largest share of what its binding resource ever reached
};

struct BenchOptions {
  int rounds = 9;
  double seconds = 1e-3;  // of each measurement
  // Measures the sheet again in every round, for a machine whose speed changes by the minute.
  bool remeasures = false;
  std::function<void(size_t done, size_t all)> on_progress{};
};

// Cases are interleaved: each is timed once, then all again.
std::vector<CaseResult> run_cases(const std::vector<BenchCase>& cases,
                                  const std::shared_ptr<const cost::Sheet>& sheet,
                                  const BenchOptions& options);

// Does the model order two ways to do the same as the clock does?
struct Ranking {
  size_t pairs = 0;  // that differ by more than `margin`
  size_t right = 0;
  std::vector<std::string> wrong;
};
// Each case as it is chosen against itself without fusion, and in each of the other mappings. All
// ways of a case are timed in turn.
Ranking rank_pairs(const std::vector<BenchCase>& cases,
                   const std::shared_ptr<const cost::Sheet>& sheet, const BenchOptions& options,
                   double margin);

}  // namespace ridge::command

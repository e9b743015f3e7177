// Processes that run cases, so that a crash or a hang ends one of them and not the fuzzer.
//
//   Outcome outcome = run_apart({given}, options);     one case, in a process of its own
//   run_all(settings, report);                         many, on several processes
//
// A worker runs its share of the cases until one fails; then it ends, and another takes over behind
// that case. It also ends after some hundred cases, because built kernels are kept by the process.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "tests/fuzz/paths.h"

namespace ridge::fuzz {

struct Outcome {
  enum class Kind { passed, failed, crashed, not_judgeable };
  Kind kind = Kind::passed;
  Path path = Path::text;  // where it failed or crashed
  std::string message{};

  bool is_failure() const { return kind == Kind::failed || kind == Kind::crashed; }
};

// Several run one after the other, until one fails.
Outcome run_apart(const std::vector<Case>& cases, const RunOptions& options);

struct Settings {
  uint64_t seed = 1;
  uint64_t first = 0;
  uint64_t count = 2000;
  double minutes = 0;  // > 0: for so long, whatever the count
  int jobs = 2;
  int most_failures = 5;
  RunOptions run{};
  bool is_verbose = false;
};

// The case of that number: the first attempt that can be judged.
Case judgeable_case(uint64_t seed, uint64_t number);

struct Totals {
  uint64_t cases = 0;
  RunCounts counts{};
};

// Calls `report` in this process for each case that fails, until there were too many.
Totals run_all(const Settings& settings,
               const std::function<void(uint64_t number, const Outcome&)>& report);

}  // namespace ridge::fuzz

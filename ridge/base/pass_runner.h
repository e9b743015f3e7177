// The frame that every pass runs in, whatever it rewrites: graphs, kernels.
//
//   PassRun run = run_pass({.name = "map_product"}, runs, is_disabled,
//                          {.run = [&] { kernel = map_product(std::move(kernel), mapping); },
//                           .verify = [&] { verify(kernel); },
//                           .has_changed = [&] { return to_text(kernel) != before; },
//                           .text = [&] { return to_text(kernel); },
//                           .subject = "matmul_4f2a", .ending = "loop"});
//   run     {"map_product", changed, 34.1 us}
//
// A pass that is disabled, or optional and behind the last that RIDGE_STOP_AFTER allows, is skipped.
// Others are timed and verified; what changed is dumped (RIDGE_DUMP) and printed (RIDGE_DEBUG from
// kDebugPasses on), under RIDGE_ONLY. An error that leaves a pass, or its verifier, names the pass.
// Names may be written with `_` or `-`.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "ridge/base/function_ref.h"

namespace ridge {

// What happened to one pass.
struct PassRun {
  enum class Outcome { unchanged, changed, skipped };
  std::string name;
  Outcome outcome = Outcome::unchanged;
  double microseconds = 0;
  bool is_optional = true;
};

std::string to_text(const PassRun& run);             // functionalize: changed, 34.1 us
std::string to_text(std::span<const PassRun> runs);  // one line for each

struct PassLabel {
  std::string_view name;
  bool is_optional = false;  // RIDGE_STOP_AFTER counts it
};

// The parts of a pass that depend on what it rewrites. They are called in this order.
struct PassSteps {
  FunctionRef<void()> run;
  FunctionRef<void()> verify;  // at the level of RIDGE_VERIFY
  FunctionRef<bool()> has_changed;
  FunctionRef<std::string()> text;  // with a line end
  std::string_view subject;         // name of what is rewritten
  std::string_view ending;          // of dumped files
};

// `before` are the runs of this program so far, among which RIDGE_STOP_AFTER counts.
PassRun run_pass(const PassLabel& pass, std::span<const PassRun> before, bool is_disabled,
                 const PassSteps& steps);

// RIDGE_VERIFY from here on: what a pass gives is verified, and its text is read back.
inline constexpr int kVerifyPasses = 1;
inline constexpr int kVerifyText = 3;
// RIDGE_DEBUG from here on: what passes changed is printed.
inline constexpr int kDebugPasses = 6;

// The name as dumped files have it.
std::string with_hyphens(std::string_view name);

// Does RIDGE_DISABLE name this stage? Error{unknown_name} if it names anything that is not `known`: a
// misspelled name would seem to have no effect.
bool is_stage_disabled(std::string_view stage, std::span<const std::string> known);

}  // namespace ridge

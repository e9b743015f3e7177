#include "ridge/base/pass_runner.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "ridge/base/error.h"
#include "ridge/base/files.h"
#include "ridge/base/knobs.h"
#include "ridge/base/text.h"

namespace ridge {
namespace {

// RIDGE_STOP_AFTER counts the optional passes that ran.
bool is_stopped(const PassLabel& pass, std::span<const PassRun> before) {
  const int64_t limit = knob_int(Knob::stop_after);
  if (!pass.is_optional || limit < 0) return false;
  const auto has_run = [](const PassRun& run) {
    return run.outcome != PassRun::Outcome::skipped && run.is_optional;
  };
  return std::ranges::count_if(before, has_run) >= limit;
}

void show(const PassLabel& pass, const PassSteps& steps) {
  const std::string stem = with_hyphens(pass.name);
  const std::string only = knob_text(Knob::only);
  if (!only.empty() && with_hyphens(only) != stem && only != steps.subject) return;
  const bool prints = knob_int(Knob::debug) >= kDebugPasses;
  if (!prints && !is_knob_set(Knob::dump)) return;
  const std::string text = concat("// after ", stem, "\n", steps.text());
  dump_artifact(stem, steps.ending, text);
  if (prints) std::fputs(text.c_str(), stderr);
}

[[noreturn]] void throw_from(const PassLabel& pass, const Error& error) {
  throw Error({.code = error.code(),
               .op = concat("pass ", pass.name, error.op().empty() ? "" : ", ", error.op()),
               .expected = error.expected(),
               .given = error.given(),
               .hint = error.hint(),
               .where = error.where()});
}

}  // namespace

std::string with_hyphens(std::string_view name) {
  std::string result(name);
  std::ranges::replace(result, '_', '-');
  return result;
}

bool is_stage_disabled(std::string_view stage, std::span<const std::string> known) {
  if (!is_knob_set(Knob::disable)) return false;
  bool is_named = false;
  for (const std::string& name : knob_list(Knob::disable)) {
    const bool is_known = std::ranges::any_of(
        known, [&](const std::string& k) { return with_hyphens(k) == with_hyphens(name); });
    RIDGE_CHECK(is_known, .code = ErrorCode::unknown_name, .op = "RIDGE_DISABLE",
                .expected = "one of " + join(known, ", "), .given = name,
                .hint = did_you_mean(name, known));
    is_named |= with_hyphens(name) == with_hyphens(stage);
  }
  return is_named;
}

PassRun run_pass(const PassLabel& pass, std::span<const PassRun> before, bool is_disabled,
                 const PassSteps& steps) {
  PassRun run{.name = std::string(pass.name), .is_optional = pass.is_optional};
  if (is_disabled || is_stopped(pass, before)) {
    run.outcome = PassRun::Outcome::skipped;
    return run;
  }
  try {
    const auto start = std::chrono::steady_clock::now();
    steps.run();
    const std::chrono::duration<double, std::micro> taken =
        std::chrono::steady_clock::now() - start;
    run.microseconds = taken.count();
    steps.verify();
  } catch (const Error& error) {
    throw_from(pass, error);
  }
  if (steps.has_changed()) {
    run.outcome = PassRun::Outcome::changed;
    show(pass, steps);
  }
  return run;
}

std::string to_text(const PassRun& run) {
  switch (run.outcome) {
    case PassRun::Outcome::skipped: return run.name + ": skipped";
    case PassRun::Outcome::unchanged:
      return concat(run.name, ": unchanged, ", Microseconds(run.microseconds));
    case PassRun::Outcome::changed:
      return concat(run.name, ": changed, ", Microseconds(run.microseconds));
  }
  return run.name;
}

std::string to_text(std::span<const PassRun> runs) { return join(runs, "\n"); }

}  // namespace ridge

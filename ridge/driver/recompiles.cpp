#include "ridge/driver/recompiles.h"

#include "ridge/base/log.h"
#include "ridge/base/text.h"

namespace ridge {

std::string to_text(const Recompiles& recompiles) {
  const capture::CacheCounters& counters = recompiles.counters;
  std::string text =
      concat(recompiles.function, " (", to_text(recompiles.where), "): ", counters.programs,
             " programs, ", counters.hits + counters.matches, " hits, ", counters.misses,
             " misses, ", counters.evictions, " evictions\n");
  if (recompiles.forgotten > 0) {
    text += concat("  ", recompiles.forgotten, " older ones are forgotten\n");
  }
  for (const Recompile& one : recompiles.records) {
    text += concat("  ", one.text, "  (guard: ", one.guard, " was ", one.before, ", is ", one.now,
                   ")\n");
  }
  if (counters.evictions > 0) {
    text +=
        "  programs were dropped for others: keep more of them with CompileOptions::programs or "
        "RIDGE_PROGRAMS\n";
  }
  return text;
}

namespace driver {

void RecompileLog::add(const std::string& function, Recompile recompile) {
  if (is_logged("guards")) {
    log(LogLevel::info, "guards",
        concat(function, " (", ridge::to_text(recompile.where),
               ") is compiled again: ", recompile.text, " (guard: ", recompile.guard, " was ",
               recompile.before, ", is ", recompile.now, ")"));
  }
  const std::lock_guard lock(mutex_);
  records_.push_back(std::move(recompile));
  if (records_.size() <= kLimit) return;
  records_.pop_front();
  ++forgotten_;
}

Recompiles RecompileLog::recompiles(const std::string& function, Location where) const {
  const std::lock_guard lock(mutex_);
  return {.function = function,
          .where = where,
          .records = {records_.begin(), records_.end()},
          .forgotten = forgotten_,
          .counters = {}};
}

}  // namespace driver
}  // namespace ridge

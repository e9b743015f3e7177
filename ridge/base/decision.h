// Decision: the answer to a yes-or-no question of the compiler, with its reason.
//
// Whatever chooses (fuse, save, recompute, tile, guard) returns one of these instead of a bool,
// so that `explain` has only to print what was recorded.
//
//   Decision can_fuse(...) {
//     if (reads_overlap) return Decision::no("the producer overwrites what the consumer reads");
//     return Decision::yes("one pass over x instead of two").priced(4.2, 6.1);
//   }
//   if (Decision d = can_fuse(...)) ...
//   d.to_text();   "yes: one pass over x instead of two (4.2 us, otherwise 6.1 us)"
//
// Costs are predicted microseconds of the program with either answer. A decision forced by
// legality has none.
#pragma once

#include <optional>
#include <string>

namespace ridge {

struct [[nodiscard]] Decision {
  bool verdict = false;
  std::string reason{};
  std::optional<double> cost_if_yes_us{};
  std::optional<double> cost_if_no_us{};

  static Decision yes(std::string reason);
  static Decision no(std::string reason);

  explicit operator bool() const { return verdict; }

  Decision& priced(double yes_us, double no_us) &;
  Decision priced(double yes_us, double no_us) &&;

  std::string to_text() const;
};

}  // namespace ridge

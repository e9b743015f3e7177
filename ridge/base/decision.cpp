#include "ridge/base/decision.h"

#include <utility>

#include "ridge/base/text.h"

namespace ridge {

Decision Decision::yes(std::string reason) {
  return {.verdict = true, .reason = std::move(reason)};
}

Decision Decision::no(std::string reason) {
  return {.verdict = false, .reason = std::move(reason)};
}

Decision& Decision::priced(double yes_us, double no_us) & {
  cost_if_yes_us = yes_us;
  cost_if_no_us = no_us;
  return *this;
}

Decision Decision::priced(double yes_us, double no_us) && {
  return std::move(priced(yes_us, no_us));
}

std::string Decision::to_text() const {
  std::string text = verdict ? "yes" : "no";
  if (!reason.empty()) text += ": " + reason;
  // The price of what was chosen comes first, then that of the road not taken.
  const auto& chosen = verdict ? cost_if_yes_us : cost_if_no_us;
  const auto& other = verdict ? cost_if_no_us : cost_if_yes_us;
  const std::string chosen_text = chosen ? ridge::to_text(Microseconds(*chosen)) : "";
  const std::string other_text = other ? "otherwise " + ridge::to_text(Microseconds(*other)) : "";
  if (chosen || other) {
    text += concat(" (", chosen_text, chosen && other ? ", " : "", other_text, ")");
  }
  return text;
}

}  // namespace ridge

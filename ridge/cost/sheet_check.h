// Self-checks of sheets: a figure that follows from others must do so.
//
//   check  matrix.bf16 = clock.matrix * 4096 * 132 within 1%
//   check  l2.latency  = 200 / 1.53 GHz
#pragma once

#include "ridge/cost/sheet.h"
#include "ridge/cost/sheet_line.h"

namespace ridge::cost {

// Reads the words of a `check` line against the figures of `sheet`, which must be complete.
// Error{parse} at the line where a word is none of these, a key has no figure, or the figure and
// the product are further apart than the tolerance, 1% where none is given.
Check read_check(const SheetLine& line, const Sheet& sheet);

// The figure over the product: 1 where they agree.
double ratio(const Check& check, const Sheet& sheet);

// The tolerance as it stands behind `within`: "1%".
std::string percent_text(double fraction);

}  // namespace ridge::cost

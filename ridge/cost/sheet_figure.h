// The `figure` lines of a sheet: key, value and unit, then what the value stands for.
//
//   figure  matrix.bf16  989.4 TFLOP/s  dense accumulate=f32 source=nvidia
#pragma once

#include "ridge/cost/sheet.h"
#include "ridge/cost/sheet_line.h"

namespace ridge::cost {

// Adds the figure to `sheet`, whose sources up to this line must be there. Error{parse} at the
// line for all that parse_sheet refuses in a figure.
void read_figure(const SheetLine& line, Sheet& sheet);

}  // namespace ridge::cost

// `ridge devices --calibrate`.
#pragma once

namespace ridge::command {

struct CalibrateFlags {
  int rounds = 11;
  double most_spread = 0.15;
};

// Measures, and writes the sheet.
void run_calibration(const CalibrateFlags& flags);

}  // namespace ridge::command

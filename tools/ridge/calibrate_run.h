// `ridge devices --calibrate`.
#pragma once

namespace ridge::command {

struct CalibrateFlags {
  int rounds = 11;
  double most_spread = 0.15;
  bool is_gpu = false;  // the first one, in place of the CPU
};

// Measures, and writes the sheet.
void run_calibration(const CalibrateFlags& flags);

}  // namespace ridge::command

#include "calibrate_run.h"

#include <unistd.h>

#include <cstdio>

#include "ridge/calibrate/calibrate.h"
#include "ridge/cost/sheets.h"

namespace ridge::command {

void run_calibration(const CalibrateFlags& flags) {
  calibrate::Options options{.rounds = flags.rounds, .most_spread = flags.most_spread};
  const bool is_terminal = isatty(STDERR_FILENO) != 0;
  if (is_terminal) {
    options.on_progress = [](size_t done, size_t all) {
      if (done % 8 == 0 || done == all) std::fprintf(stderr, "\rmeasuring: %zu of %zu", done, all);
      if (done == all) std::fputs("\n", stderr);
    };
  } else {
    std::fputs("measuring this machine: some seconds, best with nothing else running\n", stderr);
  }
  const cost::Sheet sheet =
      flags.is_gpu ? calibrate::calibrate_gpu(0, options) : calibrate::calibrate_cpu(options);
  const std::string path = flags.is_gpu ? cost::calibrated_gpu_path() : cost::calibrated_path();
  calibrate::write_sheet(sheet, path);
  std::fprintf(stderr, "written to %s\n", path.c_str());
}

}  // namespace ridge::command

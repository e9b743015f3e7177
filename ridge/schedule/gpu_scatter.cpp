#include "ridge/schedule/gpu_scatter.h"

#include "ridge/schedule/gpu_scatter_scan.h"

namespace ridge::schedule {

EmittedKernel gpu_scatter(const LoopInput& input) {
  ScatterThreads threads(input);
  ScatterSums sums(threads);
  sums.start();
  scan_index(threads, sums);
  sums.copy_out();
  return threads.finish();
}

}  // namespace ridge::schedule

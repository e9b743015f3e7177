// The fastest of a fixed sweep of plain 16-byte kernels (bench/plain_sweep.cu) that read and write
// given arrays: what a kernel that does some arithmetic on them could reach at best.
//
//   PlainSweep sweep(timer);
//   sweep.fastest({.read = {n, n}, .written = {n}}).seconds
//
// The sweep: 1, 2, 4 and 8 vectors a thread, 128 to 1024 threads a block, with and without streaming
// hints. All variants are timed briefly, the best ones again at length.
#pragma once

#include <map>

#include "ridge/calibrate/cuda_kernels.h"
#include "ridge/calibrate/cuda_timer.h"
#include "ridge/calibrate/random_fill.h"

namespace ridge::calibrate {

// Bytes of each array. Those below a sixteenth of the largest do not count.
struct TouchedArrays {
  std::vector<int64_t> read{}, written{};

  int64_t bytes() const;
  auto operator<=>(const TouchedArrays&) const = default;
};

struct SweepVariant {
  int vectors = 1;  // of a thread
  int threads = 128;
  bool has_hints = false;
};
std::vector<SweepVariant> sweep_variants();

struct SweepBest {
  double seconds = 0;
  double spread = 0;
  SweepVariant variant{};
};

// Steps of arrays that are multiples of one another: how many vectors of each a step has.
struct SweepSteps {
  int64_t count = 0;
  std::vector<int> read{}, written{};
};
// Error{value} where the arrays are none, more than 8, or no small multiples of the smallest.
SweepSteps sweep_steps(const TouchedArrays& arrays);
std::vector<std::string> sweep_definitions(const SweepSteps& steps, const SweepVariant& variant);

class PlainSweep {
 public:
  explicit PlainSweep(CudaTimer& timer);
  // Measured at the first request, and remembered.
  SweepBest fastest(const TouchedArrays& arrays);

 private:
  CudaTimer& timer_;
  CudaKernels kernels_;
  RandomFill random_;
  std::map<TouchedArrays, SweepBest> known_;
};

}  // namespace ridge::calibrate

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

namespace ridge::calibrate {

// Bytes of each array.
struct TouchedArrays {
  std::vector<int64_t> read{}, written{};

  int64_t bytes() const;
  int64_t largest() const;
  TouchedArrays counted() const;  // without those below a sixteenth of the largest
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

// How arrays of different sizes are gone through together: a step has some vectors of each, in
// proportion to its size, and ends early in those that do not have as many.
struct SweepSteps {
  struct Array {
    int64_t vectors;
    int share;  // of a step
  };
  int64_t count = 0;
  std::vector<Array> read{}, written{};
};
// Error{value} where there are no arrays, or more than 8 of a kind.
SweepSteps sweep_steps(const TouchedArrays& arrays);
std::vector<std::string> sweep_definitions(const SweepSteps& steps, const SweepVariant& variant);

class PlainSweep {
 public:
  explicit PlainSweep(CudaTimer& timer);
  // Of the arrays that count. Measured at the first request, and remembered.
  SweepBest fastest(const TouchedArrays& arrays);
  // One variant again.
  Measured time(const TouchedArrays& arrays, const SweepVariant& variant,
                const TimerOptions& options);

 private:
  // Memory of some size, and how a variant is launched on it.
  struct Memory;
  Memory make_memory(const SweepSteps& steps);
  std::function<void()> runner(const Memory& memory, const SweepSteps& steps,
                               const SweepVariant& variant);

  CudaTimer& timer_;
  CudaKernels kernels_;
  RandomFill random_;
  std::map<TouchedArrays, SweepBest> known_;
};

}  // namespace ridge::calibrate

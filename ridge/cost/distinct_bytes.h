// The distinct bytes of one buffer that some accesses touch between them.
//
//   DistinctBytes x(64);                      // in lines of 64 bytes
//   x.add(of x[i0], {});  x.add(of x[i0 + 1024], {});
//   x.bytes()                           // both halves, however they are read
//
// An access covers a contiguous run, repeated along the axes whose stride leaves a gap. Accesses with
// the same repeats are merged, so what overlaps counts once. Of accesses with other repeats the larger
// one counts where their ranges overlap, and both where they do not.
#pragma once

#include <vector>

#include "ridge/cost/axis_set.h"
#include "ridge/cost/nest.h"

namespace ridge::cost {

// Bytes of the distinct lines an access touches while the axes `outside` stand still.
double lines_of(const MemoryAccess& access, AxisSet outside, double line);

class DistinctBytes {
 public:
  explicit DistinctBytes(double line) : line_(line) {}

  void add(const MemoryAccess& access, AxisSet outside);
  double bytes() const;

 private:
  struct Repeat {
    double stride;  // 0: at random
    double count;
    bool operator==(const Repeat&) const = default;
  };
  // A contiguous run and its repeats, in elements.
  struct StridedRuns {
    std::vector<Repeat> repeats;  // largest stride first
    double start = 0, length = 1;
    double count() const;
    double end() const;  // of the last run
  };
  friend double lines_of(const MemoryAccess& access, AxisSet outside, double line);
  static StridedRuns runs_of(const MemoryAccess& access, AxisSet outside, double line);
  double bytes_of(const std::vector<const StridedRuns*>& alike) const;

  double line_;
  double element_bytes_ = 1, whole_ = 0;
  std::vector<StridedRuns> all_;
};

}  // namespace ridge::cost

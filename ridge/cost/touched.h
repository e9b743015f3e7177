// The distinct bytes of one buffer that some accesses touch between them.
//
//   Touched x(64);                      // in lines of 64 bytes
//   x.add(of x[i0], {});  x.add(of x[i0 + 1024], {});
//   x.bytes()                           // both halves, however they are read
//
// An access covers stretches without holes, repeated along the axes that leave holes between them.
// Accesses with the same repetitions are laid over each other, so what overlaps counts once; of
// others the larger counts where they reach into each other, and both where they do not.
#pragma once

#include <vector>

#include "ridge/cost/axis_set.h"
#include "ridge/cost/nest.h"

namespace ridge::cost {

// Bytes of the distinct lines an access touches while the axes `outside` stand still.
double lines_of(const MemoryAccess& access, AxisSet outside, double line);

class Touched {
 public:
  explicit Touched(double line) : line_(line) {}

  void add(const MemoryAccess& access, AxisSet outside);
  double bytes() const;

 private:
  struct Repeat {
    double stride;  // 0: at random
    double count;
    bool operator==(const Repeat&) const = default;
  };
  // In elements.
  struct Stretches {
    std::vector<Repeat> repeats;  // largest stride first
    double start = 0, length = 1;
    double runs() const;
    double end() const;  // of the last one
  };
  friend double lines_of(const MemoryAccess& access, AxisSet outside, double line);
  static Stretches stretches_of(const MemoryAccess& access, AxisSet outside, double line);
  double bytes_of(const std::vector<const Stretches*>& alike) const;

  double line_;
  double element_bytes_ = 1, whole_ = 0;
  std::vector<Stretches> all_;
};

}  // namespace ridge::cost

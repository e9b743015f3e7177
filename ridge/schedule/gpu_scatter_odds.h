// How often the branches of a scatter are taken, for its price: what to expect of an index whose points
// lead anywhere, each slot as likely as any other.
#pragma once

#include "ridge/schedule/gpu_scatter_shape.h"

namespace ridge::schedule {

class ScatterOdds {
 public:
  explicit ScatterOdds(const ScatterShape& shape);

  double own() const { return 1 / owners_; }  // a point leads to a slot of a given block
  double hit(int64_t points) const;           // one of so many does
  double touched() const;                     // a slot has a point
  double repeated() const;                    // a point leads where an earlier one has

 private:
  double owners_, points_, slots_;
};

// Of so many one, about: what `loop::If` calls `every`.
int64_t one_of(double share);

}  // namespace ridge::schedule

// Reading expressions as numbers: where an index goes, how often a condition holds.
#pragma once

#include <cmath>
#include <map>
#include <span>
#include <vector>

#include "ridge/cost/axis_set.h"
#include "ridge/cost/nest.h"

namespace ridge::cost {

// A loop around an index.
struct AroundLoop {
  int axis;
  double trips;
  loop::Place place = loop::Place::serial;

  int64_t last() const { return static_cast<int64_t>(std::ceil(trips)) - 1; }
};

// An integer expression with the axes at the places given, others at 0. What it reads counts as 0,
// symbols as their hints.
int64_t value_at(const expr::Expr& e, const std::map<int, int64_t>& places,
                 std::span<const int64_t> sizes);

// The mean of an integer expression over the loops around it. Where it depends on one, it is taken to
// be the same in all iterations but the last, as the length of a piece is.
double mean_of(const expr::Expr& e, std::span<const AroundLoop> around,
               std::span<const int64_t> sizes);

// How an index moves along the loops around it, over the lanes of a warp exactly. `random` are the
// axes along which a part of it is read from memory.
std::vector<AxisStep> steps_of(const expr::Expr& index, std::span<const AroundLoop> around,
                               std::span<const int64_t> sizes, AxisSet random = {});

// The share of iterations of the loops around in which a condition holds, where that follows from
// its form (i0 == 3, i0 % 4 == 0, 256 * i0 + i1 < n, and `&&` of such); else 1. Lanes of a vector
// loop are masked off, not skipped, so a condition on one is no saving.
double share_of(const expr::Expr& condition, std::span<const AroundLoop> around,
                std::span<const int64_t> sizes);

bool holds_axis(const expr::Expr& e, int axis);
bool holds_load(const expr::Expr& e);

}  // namespace ridge::cost

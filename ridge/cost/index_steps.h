// Reading expressions as numbers: where an index goes, and what a value takes to compute.
#pragma once

#include <cmath>
#include <functional>
#include <map>
#include <span>
#include <vector>

#include "ridge/cost/nest.h"

namespace ridge::cost {

using AxisSet = uint64_t;
inline AxisSet axis_bit(int axis) { return AxisSet{1} << static_cast<unsigned>(axis); }

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

// How an index moves along the loops around it. `random` are the axes along which a part of it is
// read from memory.
std::vector<AxisStep> steps_of(const expr::Expr& index, std::span<const AroundLoop> around,
                               std::span<const int64_t> sizes, AxisSet random = 0);

// Counts the functions of an expression at one point. The caller gets each load once; the
// arithmetic of its index is left out, unless it looks something up.
void count_functions(const expr::Expr& e, Operations& operations,
                     const std::function<void(const expr::Expr& load)>& on_load);

bool holds_axis(const expr::Expr& e, int axis);
bool holds_load(const expr::Expr& e);

}  // namespace ridge::cost

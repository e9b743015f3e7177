// Integer intervals with saturating ends, and the interval of an integer expression.
//
// The ends INT64_MIN and INT64_MAX stand for "unbounded"; arithmetic saturates to them, so an
// interval always contains every value the expression can take, and may contain more.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>

#include "ridge/expr/expr.h"

namespace ridge::expr {

class Expr;

struct Interval {
  int64_t low = std::numeric_limits<int64_t>::min();
  int64_t high = std::numeric_limits<int64_t>::max();

  static Interval point(int64_t value) { return {value, value}; }
  static Interval all() { return {}; }
  static Interval at_least(int64_t low) { return {low, std::numeric_limits<int64_t>::max()}; }

  bool contains(int64_t value) const { return low <= value && value <= high; }
  bool is_point() const { return low == high; }
  bool operator==(const Interval&) const = default;
};

Interval operator-(Interval a);
Interval operator+(Interval a, Interval b);
Interval operator-(Interval a, Interval b);
Interval operator*(Interval a, Interval b);
Interval floor_div(Interval a, Interval b);
Interval mod(Interval a, Interval b);
Interval min(Interval a, Interval b);
Interval max(Interval a, Interval b);
Interval hull(Interval a, Interval b);
std::optional<Interval> intersect(Interval a, Interval b);
std::string to_text(Interval interval);

// Ranges of the axes, where the caller knows them.
using AxisRanges = std::function<Interval(int axis)>;

// The values an integer or boolean (0, 1) expression can take. Real expressions, inputs, params
// and loads are unbounded.
Interval interval_of(const Expr& e, const AxisRanges& axes = {});

// Between which numbers a real value lies, as far as that follows from how it is computed.
//
//   cos(x)        from -1 to 1, whatever x is (or NaN)
//   0.5 * cos(x)  from -0.5 to 0.5
struct RealRange {
  double low = -std::numeric_limits<double>::infinity();  // of values that are not NaN
  double high = std::numeric_limits<double>::infinity();

  bool is_within(double bound) const { return low >= -bound && high <= bound; }
};

// Of a call with such arguments.
RealRange range_of_call(Function function, std::span<const RealRange> arguments);

}  // namespace ridge::expr

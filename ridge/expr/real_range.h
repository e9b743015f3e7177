// Between which numbers a real value lies, as far as that follows from how it is computed.
//
//   cos(x)        from -1 to 1, whatever x is (or NaN)
//   0.5 * cos(x)  from -0.5 to 0.5
#pragma once

#include <functional>
#include <limits>
#include <span>

#include "ridge/expr/expr.h"

namespace ridge::expr {

struct RealRange {
  double low = -std::numeric_limits<double>::infinity();  // of values that are not NaN
  double high = std::numeric_limits<double>::infinity();

  bool is_within(double bound) const { return low >= -bound && high <= bound; }
};

// Of a call with such arguments.
RealRange range_of_call(Function function, std::span<const RealRange> arguments);
// Of a whole expression; `of_input` answers for its inputs.
RealRange real_range(const Expr& e, const std::function<RealRange(int)>& of_input);

}  // namespace ridge::expr

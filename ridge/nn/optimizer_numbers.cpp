#include "ridge/nn/optimizer_numbers.h"

#include <cmath>

#include "ridge/base/text.h"

namespace ridge::nn {

void OptimizerNumbers::check_rate(const std::string& name, double value) const {
  RIDGE_CHECK(std::isfinite(value) && value >= 0, .code = ErrorCode::value, .op = optimizer,
              .expected = concat(name, " that is finite and at least 0"), .given = concat(value),
              .where = where);
}

// A NaN is in no range.
void OptimizerNumbers::check_share(const std::string& name, double value) const {
  RIDGE_CHECK(value >= 0 && value < 1, .code = ErrorCode::value, .op = optimizer,
              .expected = concat(name, " of at least 0 and below 1"), .given = concat(value),
              .where = where);
}

}  // namespace ridge::nn

// When a result counts as equal to the reference: the one rule, for tests and for RIDGE_VERIFY.
//
// The bound follows from the dtype, from how many values can have been summed and from how much one
// rounding moves the result, nothing else:
//
//   epsilon of the dtype * |value|  +  (8 + 2 * sqrt(length)) * sway
//
// Both sides round the result; the other one also its intermediates, in the dtype (f32 for 16-bit
// types). Errors of a sum grow with the square root of its length.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "ridge/core/dtype.h"

namespace ridge::reference {

// The rounding of intermediates: of f64 for f64, of f32 for all others.
double working_epsilon(DType dtype);

// `sway`: how far a rounding of intermediates moves the result. Where that is not known, the
// working epsilon of its largest terms stands for it.
double tolerance(DType dtype, double length, double value, double sway);

struct Mismatch {
  size_t element;  // row-major
  double ours, expected, allowed;
};

// The element that is off by the most beyond what is allowed for it, which is infinite where any
// value will do. NaN stands where NaN is.
std::optional<Mismatch> worst_mismatch(std::span<const double> ours,
                                       std::span<const double> expected,
                                       std::span<const double> allowed);

}  // namespace ridge::reference

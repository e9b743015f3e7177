// When two results of one call count as equal.
//
// The bound follows from the dtype and from how many values can have been summed, nothing else.
#pragma once

#include <string>
#include <vector>

#include "ridge/dispatch/arg.h"

namespace ridge::testing {

// How many values can have been added up on the way to one result: no sum is longer than the
// largest operand.
double reduction_length(const std::vector<dispatch::Value>& args);

// Both sides round: the other one its intermediates in the dtype (f32 for 16-bit types) and the
// result, we the result. Errors of a sum grow with the square root of its length, relative to its
// largest terms, for which the largest result stands.
double tolerance(DType dtype, double length, double largest, double value);

// Shapes and dtypes equal, integers and bools exactly, floats within `tolerance`, NaN where NaN is.
void expect_close(const Tensor& ours, const Tensor& theirs, double length, const std::string& text);

}  // namespace ridge::testing

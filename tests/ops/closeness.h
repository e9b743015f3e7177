// When two results of one call count as equal, by the rule of ridge/reference/closeness.h.
#pragma once

#include <string>
#include <vector>

#include "ridge/dispatch/arg.h"

namespace ridge::testing {

// How many values can have been added up on the way to one result: no sum is longer than the
// largest operand.
double reduction_length(const std::vector<dispatch::Value>& args);

// Errors are relative to the largest terms of a sum, for which the largest result stands.
double tolerance(DType dtype, double length, double largest, double value);

// Shapes and dtypes equal, integers and bools exactly, floats within `tolerance`, NaN where NaN is.
void expect_close(const Tensor& ours, const Tensor& theirs, double length, const std::string& text);

}  // namespace ridge::testing

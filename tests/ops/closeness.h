// When two results of one call count as equal, by the rule of ridge/reference/closeness.h.
#pragma once

#include <string>
#include <vector>

#include "cases.h"

namespace ridge::testing {

// How many values can have been added up on the way to one result: no sum is longer than the
// largest operand.
double reduction_length(const std::vector<dispatch::Value>& args);

// Results of a case: shapes and dtypes equal, integers and bools exactly, NaN where NaN is, and each
// float within what roundings on the way to it may move (sway.h).
void expect_results(const OpCase& c, const dispatch::Tensors& ours,
                    const dispatch::Tensors& expected);

// Gradients of a case, for whose elements no sway is known: the largest one stands for all of them.
void expect_gradient(const Tensor& ours, const Tensor& expected, const OpCase& c);

}  // namespace ridge::testing

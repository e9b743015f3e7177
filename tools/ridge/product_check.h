// Whether results of a product are right: random elements of each set against f64 sums of the same operands. A
// kernel that is fast and wrong must not count.
#pragma once

#include <vector>

#include "product_side.h"

namespace ridge::command {

struct ExpectedElement {
  size_t set;
  int64_t row, column;
  double value, room;  // it may be off by so much
};

// The corners of each set's result among them.
std::vector<ExpectedElement> expected_elements(const ProductCase& product,
                                               const std::vector<ProductOperands>& operands,
                                               uint64_t seed);

// Error{state} that names the element, what was expected and what was given.
void check_elements(const std::string& what, const std::vector<ExpectedElement>& expected,
                    const Tensors& outputs);

// Memory of results to come is filled with NaN, so that an element nobody writes is none that somebody else has
// written before.
void poison_results(const ProductCase& product, int sets, Device device);

}  // namespace ridge::command

// Tensors put together, and taken apart.
#pragma once

#include <vector>

#include "ridge/ops/at.h"

namespace ridge {

// Along an existing dim; all other sizes must agree.
Tensor cat(const std::vector<Tensor>& xs, int64_t dim = 0, Location where = Location::current());
// Along a new dim; all sizes must agree.
Tensor stack(const std::vector<Tensor>& xs, int64_t dim = 0, Location where = Location::current());

// Elements of one value around x: pairs of counts before and after, last dim first, at least 0.
Tensor pad(const At& x, const Ints& pads, double value = 0);

// Views of x along `dim`: of these sizes, or each of `size` with a shorter rest.
std::vector<Tensor> split(const At& x, const Shape& sizes, int64_t dim = 0);
std::vector<Tensor> split(const At& x, int64_t size, int64_t dim = 0);

}  // namespace ridge

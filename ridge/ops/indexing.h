// Ops that read or write at positions given by a tensor of integers.
//
//   gather(x, 1, index)[i, j]      = x[i, index[i, j]]
//   scatter_add(x, 1, index, from)   adds from[i, j] to x[i, index[i, j]]
//
//   scatter(x, 1, index, from)       writes from[i, j] to x[i, index[i, j]]
//
// gather and scatter_add are each other's gradient. An index outside [0, extent) is an Error{index} at run time that
// names the index and the extent; negative indices do not count from the end, as in PyTorch.
#pragma once

#include "ridge/ops/at.h"

namespace ridge {

// `index` has the rank of x and, but for `dim`, at most its sizes.
Tensor gather(const At& x, int64_t dim, const At& index);
// The slices of x along `dim` that a 1-d index lists.
Tensor index_select(const At& x, int64_t dim, const At& index);
// Rows of weight [rows, width] for an index of any shape: [..., width].
Tensor embedding(const At& weight, const At& index);
// `index` and `from` have one shape; positions listed more than once add up.
Tensor scatter_add(const At& x, int64_t dim, const At& index, const At& from);
const Tensor& scatter_add_(const At& x, int64_t dim, const At& index, const At& from);
// The same, but `from` takes the place of what is there. No position is listed twice: which value it then has is not
// said. That is for the caller to know, as of a permutation; elements need not wait for each other.
Tensor scatter(const At& x, int64_t dim, const At& index, const At& from);
const Tensor& scatter_(const At& x, int64_t dim, const At& index, const At& from);
// i64 [..., classes], 1 at the index and 0 elsewhere.
Tensor one_hot(const At& index, int64_t classes);

}  // namespace ridge

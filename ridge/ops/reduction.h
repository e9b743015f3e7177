// Reductions over dimensions, counted from the end where negative; an empty list means all.
//
//   sum(x)                      one number, a 0-d tensor
//   mean(x, {-1}, true)         of every row; the last dimension stays, with size 1
//
// Sums and products of bool and integers are i64. 16-bit means and variances are computed in f32.
// Nothing is lost to NaN: a maximum or minimum over a NaN is NaN.
#pragma once

#include "ridge/ops/at.h"

namespace ridge {

Tensor sum(const At& x, const Ints& dims = {}, bool keepdim = false);
Tensor prod(const At& x, const Ints& dims = {}, bool keepdim = false);
Tensor mean(const At& x, const Ints& dims = {}, bool keepdim = false);
// Divided by the count less `correction`; 1 makes it unbiased.
Tensor var(const At& x, const Ints& dims = {}, int64_t correction = 1, bool keepdim = false);
Tensor std(const At& x, const Ints& dims = {}, int64_t correction = 1, bool keepdim = false);
// log(sum(exp(x))), without overflow.
Tensor logsumexp(const At& x, const Ints& dims = {}, bool keepdim = false);

// Of values; the gradient is shared evenly between elements that tie.
Tensor max(const At& x, const Ints& dims = {}, bool keepdim = false);
Tensor min(const At& x, const Ints& dims = {}, bool keepdim = false);
// The position of the first extremum along one dimension, i64.
Tensor argmax(const At& x, int64_t dim, bool keepdim = false);
Tensor argmin(const At& x, int64_t dim, bool keepdim = false);

Tensor any(const At& x, const Ints& dims = {}, bool keepdim = false);
Tensor all(const At& x, const Ints& dims = {}, bool keepdim = false);

// Undoes broadcasting: x summed over what was stretched, in `shape`. x itself where nothing was.
Tensor sum_to(const At& x, const Shape& shape);

}  // namespace ridge

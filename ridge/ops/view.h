// Ops that rearrange: the result shows elements of x under another shape.
//
// They alias x where strides can express that, so writing to the result writes to x; otherwise they
// copy (a reshape of scattered memory, a slice with a negative step).
#pragma once

#include "ridge/ops/at.h"

namespace ridge {

// One size may be -1: what is left.
Tensor reshape(const At& x, const Shape& shape);
// Dims first..last become one.
Tensor flatten(const At& x, int64_t first = 0, int64_t last = -1);
// Drops the dims of size 1 among `dims` (empty: all of them).
Tensor squeeze(const At& x, const Ints& dims = {});
// A new dim of size 1, at position `dim` of the result.
Tensor unsqueeze(const At& x, int64_t dim);

// Dim i of the result is dim dims[i] of x.
Tensor permute(const At& x, const Ints& dims);
Tensor transpose(const At& x, int64_t a, int64_t b);
// Dims of size 1 are stretched and new ones put in front; -1 keeps a size.
Tensor expand(const At& x, const Shape& shape);

// A bound beyond the last element, or with a minus sign before the first.
inline constexpr int64_t kEnd = int64_t{1} << 61;
// x[start:end:step] along `dim`, as in Python: bounds count from the end if negative, and are
// clamped. slice(x, 0, kEnd, -kEnd, -1) reverses.
Tensor slice(const At& x, int64_t dim, const Size& start, const Size& end = kEnd, int64_t step = 1);
// The element `index` along `dim`, which is gone from the result.
Tensor select(const At& x, int64_t dim, int64_t index);
Tensor flip(const At& x, const Ints& dims);

// A copy in row-major memory without gaps.
Tensor clone(const At& x);
// x itself if it lies like that already, else a clone.
Tensor contiguous(const At& x);
// The same elements, cut off from the gradient.
Tensor detach(const At& x);
inline Tensor stop_gradient(const At& x) { return detach(x); }

// The adjoint of slice: zeros in `shape`, but for the slice, which is x.
Tensor slice_adjoint(const At& x, const Shape& shape, int64_t dim, const Size& start,
                     const Size& end = kEnd, int64_t step = 1);

// x, but for the slice, which is `from`: what writing through the slice would leave behind.
Tensor slice_scatter(const At& x, const At& from, int64_t dim, const Size& start,
                     const Size& end = kEnd, int64_t step = 1);

// x, which has one dimension, as flat memory: element [i, j] of the result is
// x[offset + i * strides[0] + j * strides[1]]. A view that no chain of the ops above need express.
Tensor strided(const At& x, const Shape& shape, const Shape& strides, const Size& offset);
// Its adjoint: what an element of x was seen as, summed.
Tensor strided_adjoint(const At& x, const Size& length, const Shape& strides, const Size& offset);
// x, but for what `strided` shows of it, which is `from`; its elements must be apart in memory.
Tensor strided_scatter(const At& x, const At& from, const Shape& strides, const Size& offset);

}  // namespace ridge

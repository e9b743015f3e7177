// Shapes and strides: lists of sizes, and the arithmetic on them.
//
// Everything here works on symbolic sizes; a comparison that cannot be proven leaves a guard at
// `where` (Size, design §5).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "ridge/base/error.h"
#include "ridge/base/small_vector.h"
#include "ridge/expr/size.h"

namespace ridge {

using Shape = SmallVector<Size, 5>;
using Ints = SmallVector<int64_t, 5>;

// Of any tensor: a kernel has its axes in sets of 64.
inline constexpr size_t kMostDimensions = 64;

// Equal without leaving a guard: the same numbers and the same expressions.
bool is_same(const Shape& a, const Shape& b);
Size numel(const Shape& shape);  // 1 for an empty shape; an Error if it exceeds 2^62
// Row-major strides. Those before a dimension known to be empty are as if its size were 1.
Shape contiguous_strides(const Shape& shape);
std::string to_text(const Shape& shape);  // "[2, batch, 3]"
std::string to_text(std::span<const int64_t> ints);

// NumPy broadcasting: aligned at the last dimension, 1 stretches. Error{shape} otherwise.
Shape broadcast(const Shape& a, const Shape& b, Location where = Location::current());

// A dimension counted from the end if negative. Error{index} if outside [-rank, rank).
int64_t wrap_dim(int64_t dim, int64_t rank, std::optional<Location> where = {});
// Each wrapped, sorted, without repeats (an Error{value}); an empty list means all of them.
Ints wrap_dims(std::span<const int64_t> dims, int64_t rank);

// Strides that show a tensor of (shape, strides) as new_shape without moving an element, if there
// are such. The number of elements must already agree.
std::optional<Shape> reshape_strides(const Shape& shape, const Shape& strides,
                                     const Shape& new_shape, Location where = Location::current());

// What shape and strides say of memory. Where symbols leave a question open, the answer is the cautious
// one, or that of the call that is captured, with a guard.

// Row-major without gaps. Dimensions of size 1 may have any stride, empty tensors any strides.
bool is_contiguous(const Shape& shape, const Shape& strides);
// The same for the call that is captured, proven or by guard: for whoever shares memory by it.
bool is_contiguous_here(const Shape& shape, const Shape& strides, Location where);

// Could two positions be one element of memory? "No" is certain.
bool may_overlap(const Shape& shape, const Shape& strides);

// Is a < b, proven or by guard? False where nothing is known of the symbols.
bool is_below(const Size& a, const Size& b);

// Elements from the start of the storage to the end of the view; 0 if the view is empty.
Size extent(const Shape& shape, const Shape& strides, const Size& offset);

}  // namespace ridge

// What shape and strides say of memory. Where symbols leave a question open, the answer is the cautious
// one, or that of the call that is captured, with a guard.
#pragma once

#include "ridge/core/shape.h"

namespace ridge {

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

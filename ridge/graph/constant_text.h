// The elements of a constant as text, and back: exactly, whatever the dtype.
//
// A 0-d tensor is its element; up to 16 elements are a list in row-major order, with the fewest
// digits that read back the same; more, or a NaN, whose bits digits cannot tell, are the bytes of
// memory in hexadecimal.
//
//   2     [0.5, -0, inf]     "0000803f00000040..."
#pragma once

#include <string>
#include <string_view>

#include "ridge/core/tensor.h"

namespace ridge::graph {

std::string constant_text(const Tensor& constant);
// The same, but for a hash in place of the bytes: what tells constants apart, and does not read back.
std::string constant_digest(const Tensor& constant);

// `text` is one of the three forms, without spaces around it. Error{parse} if it does not give a
// tensor of that dtype and shape.
Tensor parse_constant(std::string_view text, DType dtype, const Shape& shape);

}  // namespace ridge::graph

// A tensor from outside as part of a captured program.
//
//   Tensor table = ...;
//   compile([&](const Tensor& x) { return x + constant(table); });
//
// In a capture the elements are copied into the program, once, as they are at the time: writing to
// the tensor later does not change the program. Anywhere else it is the tensor itself.
#pragma once

#include "ridge/core/tensor.h"

namespace ridge {

Tensor constant(const Tensor& tensor, Location where = Location::current());

}  // namespace ridge

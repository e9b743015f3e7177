// A case differentiated by eager autograd, on the device of its tensors.
#pragma once

#include "cases.h"

namespace ridge::testing {

// Of one number made from all floating results, no two elements weighted alike, by each floating
// tensor of the call, in order; undefined where there is none. Empty for a call without such results.
dispatch::Tensors gradients_of(const OpCase& c);

}  // namespace ridge::testing

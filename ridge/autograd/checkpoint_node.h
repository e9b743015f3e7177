// A call that saves its inputs only: when gradients are asked for, it runs again and is differentiated
// then. The eager half of `checkpoint` (capture/checkpoint.h).
//
// The first run is not recorded. A second one gets the inputs as they were: under the autocast of the
// first, and with copies of small tensors of integers, as random states are, which the first run may
// have written. Gradients of gradients run it with the history of its inputs.
#pragma once

#include <functional>
#include <string>

#include "ridge/autograd/node.h"

namespace ridge::autograd {

// A function over the tensors of its arguments and of its result, in visiting order, undefined ones too.
using TensorFunction = std::function<Tensors(const Tensors&)>;

// Runs `first` and keeps `again`, which computes the same. Error{state}: it reads a tensor that requires
// grad and is no input, or it writes to an input that is no random state. While gradients are computed,
// Error{gradient}: an input was written to since, or `again` returns results of another form.
Tensors run_checkpoint(const TensorFunction& first, TensorFunction again, const Tensors& inputs,
                       Location where);

}  // namespace ridge::autograd

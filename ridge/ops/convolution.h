// Convolution and pooling over the last one or two dimensions of [batch, channels, ...].
//
// All are composites of padding and sliding windows (window.h): a convolution multiplies the
// windows by the weight, a pooling reduces them. Lists of window parameters have one entry for each
// spatial dimension, or a single one for all.
#pragma once

#include "ridge/ops/at.h"

namespace ridge {

// weight [channels_out, channels_in / groups, kernel], bias [channels_out].
Tensor conv1d(const At& x, const At& weight, const Tensor& bias = {}, const Ints& stride = {1},
              const Ints& padding = {0}, const Ints& dilation = {1}, int64_t groups = 1);
Tensor conv2d(const At& x, const At& weight, const Tensor& bias = {}, const Ints& stride = {1},
              const Ints& padding = {0}, const Ints& dilation = {1}, int64_t groups = 1);

// An empty stride is the kernel's size. Padding, at most half a kernel, never wins a maximum; it
// counts as zeros in an average.
Tensor max_pool1d(const At& x, const Ints& kernel, const Ints& stride = {},
                  const Ints& padding = {0});
Tensor max_pool2d(const At& x, const Ints& kernel, const Ints& stride = {},
                  const Ints& padding = {0});
Tensor avg_pool1d(const At& x, const Ints& kernel, const Ints& stride = {},
                  const Ints& padding = {0});
Tensor avg_pool2d(const At& x, const Ints& kernel, const Ints& stride = {},
                  const Ints& padding = {0});

}  // namespace ridge

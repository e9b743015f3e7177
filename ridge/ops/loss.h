// Losses: one number that says how far predictions are from their targets, averaged over all.
#pragma once

#include "ridge/ops/at.h"

namespace ridge {

// Cross entropy of class-index targets (integers) under logits, whose classes are dim 1, or dim 0
// of a single unbatched row: logits [batch, classes, ...], target [batch, ...].
// Targets equal to `ignore_index` count neither in the sum nor in the number it is divided by (all
// of them ignored gives NaN). Smoothing spreads that share of the target evenly over all classes.
Tensor cross_entropy(const At& logits, const At& target, double label_smoothing = 0,
                     int64_t ignore_index = -100);
// Mean of (x - target)^2; the shapes must be equal.
Tensor mse_loss(const At& x, const At& target);
// Mean of -(target * log(p) + (1 - target) * log(1 - p)) with p = sigmoid(x), finite for every x;
// the shapes must be equal.
Tensor binary_cross_entropy_with_logits(const At& x, const At& target);

}  // namespace ridge

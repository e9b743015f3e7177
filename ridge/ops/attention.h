// Attention, as one op: softmax(q k^T * scale + mask) v.
//
// It is composed of matmul and softmax here; a backend may keep it whole and never write the
// [queries, keys] scores to memory.
#pragma once

#include <optional>

#include "ridge/ops/at.h"

namespace ridge {

// q [..., queries, width], k [..., keys, width], v [..., keys, width_v]: [..., queries, width_v].
// A bool mask says which keys a query may see; a mask of numbers is added to the scores. Either
// broadcasts to [..., queries, keys]. `is_causal` lets query i see keys 0 to i, on top of the mask.
// The default scale is 1 / sqrt(width). A query that may see no key gives zeros, and its gradient
// is zero, as in PyTorch since 2.5.
Tensor scaled_dot_product_attention(const At& q, const At& k, const At& v, const Tensor& mask = {},
                                    bool is_causal = false, std::optional<double> scale = {});

}  // namespace ridge

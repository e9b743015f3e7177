// The inverse of a view: what it is a view of, after the view was written.
//
//   v = slice(x, 0, [1, 3])   written   ->   slice_scatter(x, v, 0, [1, 3])
//   v = permute(x, [1, 0])    written   ->   permute(v, [1, 0])
#pragma once

#include "ridge/core/tensor.h"
#include "ridge/dispatch/operator.h"
#include "ridge/ops/call.h"

namespace ridge::graph {

// `call` is the call of the view op on `base`; `value` is what the view holds now. Its elements are
// apart in memory, or the write would have been refused. Error{internal} for a view op without an
// inverse.
Tensor invert_view(const ops::Call& call, const Tensor& base, const Tensor& value);

// The op that a write through a detached view becomes. No user calls it, and its rule is not its
// derivative, so it is added at its first use, or when a text is read, and is none of the records that
// tests are made from.
const dispatch::Operator& keep_gradient();

}  // namespace ridge::graph

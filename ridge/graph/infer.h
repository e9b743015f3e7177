// What a call returns, asked of the meta backend: the one place where types of results come from.
//
// A call is made on meta tensors with the shape, strides and dtype of the values. Views of a meta
// tensor share its storage, and in-place forms return it, so the results also say what aliases what.
//
//   x: f32[2, 3], y = transpose(x, 0, 1)    x: [2, 3] strides [3, 1]    y: [3, 2] strides [1, 3]
#pragma once

#include <span>

#include "ridge/graph/graph.h"

namespace ridge::graph {

// With the strides of the value where it has some, else contiguous.
Tensor make_meta_tensor(const Value& value);

// The results of a call on meta tensors. Device arguments are taken for meta, and neither
// tracing nor autograd nor autocast sees the call.
dispatch::Tensors call_on_meta(const dispatch::Operator& op, std::span<const dispatch::Arg> args,
                               Location where);

// The device the results of a node are on, from those of its operands and its device argument.
Device result_device(const Graph& graph, const Node& node);

// Types for results that came from `call_on_meta`.
std::vector<Type> result_types(std::span<const Tensor> meta_tensors, Device device);

}  // namespace ridge::graph

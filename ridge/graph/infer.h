// What a call returns, asked of the meta backend: the one place where types of results come from.
//
// A call is made on meta tensors with the shape, strides and dtype of the values. Views of a meta
// tensor share its storage, and in-place forms return it, so the results also say what aliases what.
//
//   x: f32[2, 3], y = transpose(x, 0, 1)    x: [2, 3] strides [3, 1]    y: [3, 2] strides [1, 3]
#pragma once

#include <functional>
#include <span>
#include <string>

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

// The verifier, for who knows where the nodes of a graph come from.

// As `verify` of graph.h; errors are of this code and name the place of the node, or of the whole.
struct Origin {
  ErrorCode code = ErrorCode::internal;
  std::function<std::string(const Node* node)> place{};  // null: of no node
};
void verify(const Graph& graph, const Origin& origin);

// Are sizes equal for every value of the symbols or, where that cannot be proven, for the values they had
// when the graph was captured? A guard then stands for it.
bool is_equal(const Size& a, const Size& b);
bool is_equal(const Shape& a, const Shape& b);
bool is_equal(const Type& a, const Type& b);

}  // namespace ridge::graph

// An operand or result of a recorded call, as far as its gradient needs it.
//
// Where the rule reads the value, it is kept as an alias without history: a graph that owned the
// user's tensor would own itself as soon as that tensor is written to with a value of the graph.
// The node knows the history and gives it back when the value is unpacked. Where the rule reads
// only shape and dtype, that is all that is kept, and unpacking gives a tensor on `meta`.
//
// A kept value remembers the version of its storage. Unpacking after a write is an
// Error{gradient}, because the gradient would be computed from another value than the result was.
#pragma once

#include "ridge/autograd/node.h"

namespace ridge::autograd {

class SavedTensor {
 public:
  SavedTensor() = default;  // an operand that was left out
  static SavedTensor described(const Tensor& tensor);
  static SavedTensor of(const Tensor& tensor);
  // The value as it is now, safe from a write that is about to come.
  static SavedTensor copy_of(const Tensor& tensor);

  const Shape& shape() const { return shape_; }
  DType dtype() const { return dtype_; }
  Device device() const { return device_; }
  bool is_kept() const { return value_.defined(); }
  // Gives the value up; shape, dtype and device stay.
  Tensor take_value() { return std::exchange(value_, {}); }

  // Throws unless the value still is what it was. `node` and `what` ("operand `x`") are for the
  // text.
  void check_unchanged(const Node& node, const std::string& what) const;
  // The value, with its history while grad mode is on; or the meta tensor; or undefined.
  Tensor unpack(const Edge& history) const;

  // What a rule returned, as the gradient of this tensor: fit_gradient, and an Error also if it was
  // computed from a value that was not saved.
  Tensor fitted(Tensor grad, std::string_view op, ErrorCode code) const;

 private:
  Tensor value_;
  uint32_t version_ = 0;
  bool is_present_ = false;
  bool is_weak_ = false;
  DType dtype_ = f32;
  Device device_ = kCpu;
  Shape shape_;
};

// What a rule returned for a tensor of that shape and dtype: summed over dimensions that
// broadcasting added, in the dtype. An Error of that code, naming `op`, if it has no fitting shape.
Tensor fit_gradient(Tensor grad, const Shape& shape, DType dtype, std::string_view op,
                    ErrorCode code);

}  // namespace ridge::autograd

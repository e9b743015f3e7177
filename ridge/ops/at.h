// At: an operand together with the line of the user's program where it was written.
//
// Ops take their operands as `const At&`; the conversion from a Tensor or a plain number happens at
// the call, so its default argument is the caller's source location. Nothing is counted or copied
// for a tensor; a number becomes a 0-d tensor that is weak in promotion.
#pragma once

#include <concepts>

#include "ridge/base/error.h"
#include "ridge/core/tensor.h"
#include "ridge/dispatch/arg.h"

namespace ridge {

class At {
 public:
  At(const Tensor& tensor, Location where = Location::current())
      : tensor_(&tensor), where_(where) {}
  template <class T>
    requires std::integral<T> || std::floating_point<T>
  At(T value, Location where = Location::current())
      : tensor_(&number_), number_(make_number(value)), where_(where) {}
  At(const At&) = delete;
  At& operator=(const At&) = delete;

  const Tensor& tensor() const { return *tensor_; }
  Location where() const { return where_; }
  operator dispatch::Arg() const { return dispatch::Arg(*tensor_); }

 private:
  template <class T>
  static Tensor make_number(T value) {
    if constexpr (std::same_as<T, bool>) {
      return Tensor::number(value);
    } else if constexpr (std::integral<T>) {
      return Tensor::number(static_cast<int64_t>(value));
    } else {
      return Tensor::number(static_cast<double>(value));
    }
  }

  const Tensor* tensor_;
  Tensor number_;
  Location where_;
};

}  // namespace ridge

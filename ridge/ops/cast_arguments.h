// The arguments of a call with some of its tensors cast: for layers that change precision.
#pragma once

#include <deque>
#include <span>
#include <vector>

#include "ridge/ops/call.h"

namespace ridge::ops {

// Owns the casts, so it must live as long as the arguments are used. Tensors that already have the
// dtype, and those `applies` turns down, are passed on as they are.
class CastArguments {
 public:
  CastArguments(std::span<const Arg> args, DType dtype, bool (*applies)(const Tensor&));
  std::span<const Arg> args() const { return args_; }

 private:
  std::deque<Tensors> casts_;  // addresses stay
  std::vector<Arg> args_;
};

}  // namespace ridge::ops

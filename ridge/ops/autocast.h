// Autocast: floating operands brought to the dtype that suits each op, by the class in its record.
//
//   {
//     AutocastScope autocast(bf16);
//     Tensor y = matmul(x, w);   // both lowered to bf16
//     Tensor s = softmax(y, -1); // raised to f32
//   }
#pragma once

#include "ridge/base/error.h"
#include "ridge/dispatch/thread_state.h"

namespace ridge {

// Switches autocast on for this thread. The dtype is f16 or bf16.
class AutocastScope {
 public:
  explicit AutocastScope(DType dtype = bf16, Location where = Location::current());
  ~AutocastScope();
  AutocastScope(const AutocastScope&) = delete;
  AutocastScope& operator=(const AutocastScope&) = delete;

 private:
  dispatch::IncludeKeys include_;
  DType saved_;
};

}  // namespace ridge

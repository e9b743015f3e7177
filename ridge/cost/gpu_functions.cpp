#include "ridge/cost/gpu_arithmetic.h"

namespace ridge::cost {

using expr::Function;

GpuInstructions gpu_instructions(Function function) {
  switch (function) {
    // Signs are a part of the operand.
    case Function::neg:
    case Function::abs: return {.issued = 0};
    case Function::add:
    case Function::sub:
    case Function::mul:
    case Function::fma: return {};
    case Function::div: return {.issued = 14, .half_rate = 5, .special = 2};
    case Function::floor_div:
    case Function::mod: return {.issued = 14, .half_rate = 9};
    case Function::pow: return {.issued = 86, .half_rate = 43, .special = 1};
    case Function::sign: return {.issued = 7, .half_rate = 6};
    case Function::min:
    case Function::max:
    case Function::floor:
    case Function::ceil:
    case Function::round:
    case Function::trunc:
    case Function::equal:
    case Function::not_equal:
    case Function::less:
    case Function::less_equal:
    case Function::logical_and:
    case Function::logical_or:
    case Function::logical_xor:
    case Function::logical_not:
    case Function::is_nan:
    case Function::select: return {.issued = 1, .half_rate = 1};
    case Function::exp: return {.issued = 8, .half_rate = 1, .special = 1};
    case Function::log: return {.issued = 25, .half_rate = 10};
    case Function::sqrt: return {.issued = 10, .half_rate = 5, .special = 1};
    case Function::rsqrt: return {.issued = 4, .half_rate = 1, .special = 1};
    case Function::sin:
    case Function::cos: return {.issued = 22, .half_rate = 7};
    case Function::tanh: return {.issued = 15, .half_rate = 4, .special = 2};
    case Function::erf: return {.issued = 20, .half_rate = 10, .special = 1};
    case Function::checked_index: return {.issued = 4, .half_rate = 4};
    case Function::philox: return {.issued = 66, .half_rate = 48};
    case Function::shift_right:
    case Function::f16_value: return {.issued = 1, .half_rate = 1};
  }
  return {};
}

GpuInstructions gpu_short_instructions(Function function) {
  if (function == Function::exp) return {.issued = 2, .special = 1};
  if (function == Function::tanh) return {.issued = 8, .half_rate = 1, .special = 2};
  if (function == Function::erf) return {.issued = 12, .half_rate = 2, .special = 2};
  if (function == Function::div) return {.issued = 9, .half_rate = 4, .special = 1};
  if (function == Function::sqrt) return {.issued = 4, .half_rate = 1, .special = 1};
  if (function == Function::sin || function == Function::cos) {
    return {.issued = 16, .half_rate = 5};
  }
  return gpu_instructions(function);
}

GpuInstructions gpu_near_instructions(Function function) {
  if (function == Function::cos) return {.issued = 5};
  if (function == Function::sin) return {.issued = 7, .half_rate = 1};
  return gpu_instructions(function);
}

GpuInstructions gpu_quotient_instructions() { return {.issued = 2}; }

GpuInstructions gpu_sincos_saves(bool is_short) {
  return is_short ? GpuInstructions{.issued = 11, .half_rate = 1}
                  : GpuInstructions{.issued = 18, .half_rate = 4};
}

}  // namespace ridge::cost

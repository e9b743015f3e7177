#include "ridge/cost/function_cost.h"

namespace ridge::cost {

using expr::Function;

double flops_of(const Operations& operations) {
  int count = operations.reductions;
  for (const int calls : operations.calls) count += calls;
  return count;
}

int instructions_of(Function function) {
  switch (function) {
    case Function::neg:
    case Function::add:
    case Function::sub:
    case Function::mul:
    case Function::abs:
    case Function::equal:
    case Function::not_equal:
    case Function::less:
    case Function::less_equal:
    case Function::logical_and:
    case Function::logical_or:
    case Function::logical_xor:
    case Function::logical_not:
    case Function::is_nan:
    case Function::select:
    case Function::floor:
    case Function::ceil:
    case Function::round:
    case Function::trunc: return 1;
    case Function::checked_index: return 2;
    case Function::min:
    case Function::max:
    case Function::sign: return 3;
    case Function::div:
    case Function::sqrt: return 10;
    case Function::rsqrt: return 20;
    case Function::floor_div:
    case Function::mod: return 16;
    case Function::exp: return 16;
    case Function::log: return 22;
    case Function::sin:
    case Function::cos: return 32;
    case Function::tanh:
    case Function::erf: return 30;
    case Function::pow: return 50;
    case Function::philox: return 120;
  }
  return 1;
}

bool is_special(Function function) { return instructions_of(function) >= 10; }

}  // namespace ridge::cost

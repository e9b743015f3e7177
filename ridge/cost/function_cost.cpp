#include "ridge/cost/function_cost.h"

namespace ridge::cost {

using expr::Function;

double flops_of(const Operations& operations) {
  int count = operations.reductions;
  for (const int calls : operations.calls) count += calls;
  return count;
}

bool is_special(Function function) { return expr::info(function).instructions >= 10; }

// sin and cos have one too, but their arguments must be reduced first: a measured cos of an H200
// takes the time of its 32 instructions (docs/bench/h200_predictions.md).
bool has_gpu_unit(Function function) {
  return function == Function::div || function == Function::sqrt || function == Function::rsqrt ||
         function == Function::exp || function == Function::log || function == Function::tanh;
}

}  // namespace ridge::cost

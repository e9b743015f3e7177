#include "ridge/cost/function_cost.h"

namespace ridge::cost {

using expr::Function;

double flops_of(const Operations& operations) {
  int count = operations.reductions;
  for (const int calls : operations.calls) count += calls;
  return count;
}

bool is_special(Function function) { return expr::info(function).instructions >= 10; }

}  // namespace ridge::cost

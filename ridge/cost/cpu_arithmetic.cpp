#include "ridge/cost/cpu_arithmetic.h"

#include <cmath>

#include "ridge/base/text.h"
#include "ridge/cost/function_count.h"
#include "ridge/cost/tuning.h"
#include "ridge/loop/mapping_rules.h"

namespace ridge::cost {

using namespace tuning;

double combines(const Nest& nest) {
  double count = 0;
  for (const Item& item : nest.items) {
    if (const auto* block = std::get_if<BasicBlock>(&item)) count += block->operations.reductions;
    const auto* branch = std::get_if<Nest>(&item);
    if (branch != nullptr && branch->axis < 0) count += combines(*branch);
  }
  return count;
}

double CpuArithmetic::function_seconds(expr::Function function) const {
  const std::string key = concat("function.", expr::info(function).name);
  if (rates_.has(key)) return 1 / rates_.of(key);
  return expr::info(function).instructions / rates_.of("vector.f32");
}

double CpuArithmetic::least_function_seconds(expr::Function function) const {
  const std::string key = concat("function.", expr::info(function).name, ".peak");
  return rates_.has(key) ? 1 / rates_.of(key) : function_seconds(function);
}

double CpuArithmetic::seconds(const Operations& operations, double points, ResourceTimes& times) {
  const double width = operations.is_wide ? 2 : 1;
  double fma = operations.fused, plain = operations.reduction_instructions;
  double special = 0;
  for (size_t i = 0; i < operations.calls.size(); ++i) {
    const auto function = static_cast<expr::Function>(i);
    const int calls = operations.calls[i];
    if (calls == 0) continue;
    if (is_special(function)) {
      special += calls * function_seconds(function);
    } else {
      plain += calls * expr::info(function).instructions;
    }
  }
  if (operations.sincos_pairs > 0) {
    special -= kSincosSaves * operations.sincos_pairs * function_seconds(expr::Function::sin);
  }
  plain -= 2 * operations.fused;  // counted as one instruction, above
  plain += operations.conversions * kConversionInstructions;
  plain += operations.index_divisions * kIndexDivisionInstructions;
  times[Resource::fma] += points * width * fma / (rates_.of("vector.f32.fma") / 2);
  times[Resource::alu] += points * width * plain / rates_.of("vector.f32");
  times[Resource::special] += points * width * std::max(0.0, special);
  note_at_best(operations, points * width);
  return times[Resource::fma] + times[Resource::alu] + times[Resource::special];
}

void CpuArithmetic::note_at_best(const Operations& operations, double points) {
  double sums = operations.reduction_instructions, products = 0, others = 0;
  double elementary = 0, divisions = 0;
  for (size_t i = 0; i < operations.calls.size(); ++i) {
    const auto function = static_cast<expr::Function>(i);
    const double calls = operations.calls[i];
    if (function == expr::Function::add || function == expr::Function::sub) {
      sums += calls;
    } else if (function == expr::Function::mul) {
      products += calls;
    } else if (!is_special(function)) {
      others += calls * expr::info(function).instructions;
    } else if (expr::info(function).is_elementary) {
      elementary += calls * least_function_seconds(function);
    } else {
      divisions += calls * least_function_seconds(function);
    }
  }
  elementary -= operations.sincos_pairs * least_function_seconds(expr::Function::sin);
  const double rate = std::max(rates_.of("vector.f32"), rates_.of("vector.f32.fma") / 2);
  units_at_best_ += points * std::max({sums, products, others}) / rate;
  special_at_best_ += points * std::max({elementary, divisions, 0.0});
}

double CpuArithmetic::padded(double executions, const Nest* lanes) const {
  if (lanes == nullptr) return executions * lanes_;
  return executions * std::ceil(lanes->trips / lanes_) * lanes_ / std::max(lanes->trips, 1e-9);
}

double CpuArithmetic::waiting(const BasicBlock& block, double executions, const Nest* lanes) const {
  const Operations& operations = block.operations;
  if (operations.reductions == 0) return 0;
  // One element after the other, as in a scan: each waits for the one before.
  if (lanes == nullptr) {
    return executions * sheet_.need("vector.latency", "a price") * operations.reduction_steps;
  }
  const double weight = flops_of(operations) + static_cast<double>(block.accesses.size());
  const double registers = loop::registers_of_sum(weight);
  const bool is_along = combines(*lanes) > 0;
  const double steps = executions / (is_along ? registers * lanes_ : lanes->trips);
  return steps * sheet_.need("vector.latency", "a price") * operations.reduction_steps;
}

}  // namespace ridge::cost

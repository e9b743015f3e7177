#include "ridge/cost/block_filler.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "ridge/cost/tuning.h"

namespace ridge::cost {

using expr::Expr;
using expr::Function;

namespace {

// A NaN is kept by a compare, a select and the extremum itself.
int instructions_of(loop::Combine combine) {
  const bool is_extremum = combine == loop::Combine::max || combine == loop::Combine::min;
  return is_extremum ? expr::info(Function::max).instructions : 1;
}
int steps_of(loop::Combine combine) {
  const bool is_extremum = combine == loop::Combine::max || combine == loop::Combine::min;
  return is_extremum ? 2 : 1;
}

}  // namespace

bool is_wide(DType dtype) { return dtype == f64 || dtype == i64; }

bool is_along(const BasicBlock& operand, int axis) {
  return std::ranges::all_of(operand.accesses, [&](const MemoryAccess& access) {
    return std::ranges::all_of(
        access.steps, [&](const AxisStep& step) { return step.axis != axis || step.stride <= 1; });
  });
}

void add_operations(Operations& into, const Operations& from) {
  for (size_t i = 0; i < from.calls.size(); ++i) {
    into.calls[i] += from.calls[i];
    into.double_calls[i] += from.double_calls[i];
    into.short_calls[i] += from.short_calls[i];
    into.near_calls[i] += from.near_calls[i];
  }
  into.sincos_pairs += from.sincos_pairs;
  into.half_sincos_pairs += from.half_sincos_pairs;
  into.quotients += from.quotients;
  into.fused += from.fused;
  into.double_fused += from.double_fused;
  into.conversions += from.conversions;
  into.index_divisions += from.index_divisions;
  into.reductions += from.reductions;
  into.reduction_instructions += from.reduction_instructions;
  into.reduction_steps = std::max(into.reduction_steps, from.reduction_steps);
  into.is_wide |= from.is_wide;
  into.shuffles += from.shuffles;
  into.barriers += from.barriers;
  into.cluster_barriers += from.cluster_barriers;
}

void BlockFiller::add_value(BasicBlock& block, const Expr& e, DType dtype, DType arithmetic,
                            const OnLoad& on_load, const ValueFacts& facts) {
  Operations operations = count_functions(e, facts, on_load);
  operations.is_wide = is_wide(dtype) || arithmetic == f64;
  if (arithmetic == f64) {
    operations.double_calls = operations.calls;
    operations.double_fused = operations.fused;
  }
  expr::walk(e, [&](const Expr& node) {
    if (!completes_sincos(node)) return;
    ++operations.sincos_pairs;
    operations.half_sincos_pairs += facts.forms.precision == Precision::half ? 1 : 0;
  });
  add_operations(block.operations, operations);
}

// Whether the cosine of this sine, or the sine of this cosine, was met before in the block.
bool BlockFiller::completes_sincos(const Expr& node) {
  if (!is_call(node, Function::sin) && !is_call(node, Function::cos)) return false;
  const auto has_same_argument = [&](const Expr& other) {
    return other->function != node->function && expr::same(other->args[0], node->args[0]);
  };
  const bool found = std::ranges::any_of(circular_, has_same_argument);
  circular_.push_back(node);
  return found;
}

namespace {

bool is_power_of_two(const Expr& e) {
  return e->kind == expr::Kind::constant && e->integer > 0 &&
         std::has_single_bit(static_cast<uint64_t>(e->integer));
}

}  // namespace

// Divisions that run for each lane; others are a scalar or two. What all elements that a thread of a
// GPU computes at once have in common, it computes once, and in front of loops that it does not move in.
double BlockFiller::index_divisions(const Expr& index) const {
  double count = 0;
  const bool is_gpu = std::ranges::any_of(
      around, [](const AroundLoop& loop) { return loop.place == loop::Place::gpu_block; });
  expr::walk(index, [&](const Expr& node) {
    if (!is_call(node, Function::floor_div) && !is_call(node, Function::mod)) return;
    if (!is_gpu && is_power_of_two(node->args[1])) return;  // a shift or a mask
    double shared = 1;
    bool is_by_lane = false;
    for (const AroundLoop& loop : around) {
      const bool moves = holds_axis(node, loop.axis);
      const bool is_vector = loop.place == loop::Place::vector;
      const bool is_thread = loop.place == loop::Place::gpu_thread;
      is_by_lane |= moves && (is_vector || is_thread);
      const bool is_of_thread = is_vector || (is_gpu && loop.place == loop::Place::serial);
      if (is_of_thread && !moves) shared *= std::max(1.0, loop.trips);
    }
    count += is_by_lane ? 1 / shared : 0;
  });
  return count;
}

void BlockFiller::add_access(BasicBlock& block, MemoryAccess access, const Expr& index,
                             AxisSet random) {
  access.element_bytes = std::max(1, access.dtype.bits / 8);
  access.steps = cost::steps_of(index, around, sizes_, random);
  access.origin = value_at(index, {}, sizes_);
  block.operations.index_divisions += index_divisions(index);
  block.operations.conversions += access.dtype.bits < 32 && !access.is_copy ? 1 : 0;
  block.accesses.push_back(std::move(access));
}

void BlockFiller::add_reduction(BasicBlock& block, loop::Combine combine, DType dtype) {
  Operations& operations = block.operations;
  ++operations.reductions;
  operations.reduction_instructions += instructions_of(combine);
  operations.reduction_steps = std::max(operations.reduction_steps, steps_of(combine));
  operations.is_wide |= is_wide(dtype);
}

// Note [Collective order] of loop/loop.h: lanes of a warp first, then one value of each warp. Of few warps each thread
// reads all that they leave, of many each lane one, and lanes exchange them again.
void BlockFiller::add_collective(BasicBlock& block, loop::Combine combine, DType dtype,
                                 double threads) {
  const double lanes = std::min<double>(threads, tuning::kWarp), warps = threads / lanes;
  const bool is_list = warps <= tuning::kListedWarps;
  const auto rounds_of = [](double count) {
    return static_cast<int>(std::ceil(std::log2(std::max(1.0, count))));
  };
  const int rounds = rounds_of(lanes) + (is_list ? 0 : rounds_of(warps));
  const int words = is_wide(dtype) ? 2 : 1;
  Operations& operations = block.operations;
  operations.shuffles += rounds * words;
  operations.reduction_instructions += rounds * instructions_of(combine);
  if (warps <= 1) return;
  ++operations.barriers;
  // Each thread's share of what warps leave for each other: one writes, all read.
  operations.shuffles += words;
  if (is_list) operations.reductions += static_cast<int>(warps) - 1;
}

}  // namespace ridge::cost

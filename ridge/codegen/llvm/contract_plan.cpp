#include <algorithm>

#include "ridge/codegen/llvm/body_weight.h"
#include "ridge/codegen/llvm/contract.h"
#include "ridge/codegen/llvm/lane_form.h"
#include "ridge/loop/mapping_rules.h"

namespace ridge::codegen {
namespace {

// 256 x 32 floats of B are 32 KiB: the first-level cache of most machines, less what A needs. Eight
// such panels are 256 KiB, and blocks of A and C with 128 rows half of that each: together they fit
// the second-level cache. Guesses from one machine; to be tuned.
constexpr int64_t kDepth = 256;
constexpr int64_t kRows = 128;
constexpr int64_t kPanels = 8;
// Rows of A that lie a multiple of this apart share two sets of the first-level cache.
constexpr int64_t kAliasBytes = 2048;
// With so few columns, packing A takes as long as what it saves.
constexpr int64_t kFewColumns = 64;

int64_t round_up(int64_t value, int64_t unit) { return (value + unit - 1) / unit * unit; }

bool holds_axis(const Expr& e, int a, int b) {
  bool result = false;
  expr::walk(e, [&](const Expr& node) {
    result |= node->kind == expr::Kind::axis && (node->index == a || node->index == b);
  });
  return result;
}

// The stride along an axis: if the index is linear in all of it, or in the lanes of a register that begins at
// a multiple of their number.
enum class Linear : uint8_t { everywhere, in_registers };
std::optional<Expr> stride_along(Emission& emission, int axis, const Expr& index, Linear where) {
  const Frame outer = emission.frame;
  emission.frame.vector_axis = axis;
  emission.frame.is_aligned = where == Linear::in_registers;
  emission.frame.lanes = static_cast<unsigned>(emission.code.target.vector_bytes / 4);
  std::optional<Expr> stride = LaneForm(emission).stride(index);
  emission.frame = outer;
  return stride;
}

// Whether A is a plain load of neighbors along k, in rows of one stride.
std::optional<Expr> row_stride(Emission& emission, const loop::Contract& contract) {
  const Expr& lhs = contract.lhs;
  if (lhs->kind != expr::Kind::load) return std::nullopt;
  const DType stored = emission.kernel.buffers[static_cast<size_t>(lhs->index)].dtype;
  if (stored != contract.accumulator) return std::nullopt;
  const auto along_k = stride_along(emission, contract.k, lhs->args[0], Linear::everywhere);
  if (!along_k || !expr::is_constant(*along_k, 1)) return std::nullopt;
  const auto along_m = stride_along(emission, contract.m, lhs->args[0], Linear::everywhere);
  if (!along_m || holds_axis(*along_m, contract.m, contract.k)) return std::nullopt;
  return along_m;
}

void plan_lhs(Emission& emission, const loop::Contract& contract, ContractPlan& plan) {
  const std::optional<Expr> stride = row_stride(emission, contract);
  if (!stride) return;
  const std::optional<int64_t> n = longest(contract.n_extent);
  const bool has_few_columns = n && *n <= kFewColumns;
  const bool is_spread = expr::is_constant(*stride) &&
                         (*stride)->integer * contract.accumulator.bits / 8 % kAliasBytes != 0;
  plan.is_lhs_direct = has_few_columns || is_spread;
  plan.m_stride = *stride;
}

}  // namespace

bool is_transposed(Emission& emission, const Expr& e, int axis, int other) {
  bool result = false;
  expr::walk(e, [&](const Expr& node) {
    if (node->kind != expr::Kind::load) return;
    const auto along = stride_along(emission, axis, node->args[0], Linear::in_registers);
    if (along && (expr::is_constant(*along, 0) || expr::is_constant(*along, 1))) return;
    const auto stride = stride_along(emission, other, node->args[0], Linear::in_registers);
    result |= stride && expr::is_constant(*stride, 1);
  });
  return result;
}

ContractPlan plan_contract(Emission& emission, const loop::Contract& contract) {
  const CpuTarget& target = emission.code.target;
  const bool is_float = contract.accumulator == f32;
  ContractPlan plan{};
  plan.element = register_type(emission.code, contract.accumulator);
  plan.arithmetic = is_float ? f32 : f64;
  plan.lanes = static_cast<unsigned>(target.vector_bytes / (is_float ? 4 : 8));
  plan.vectors = 2;
  plan.rows = static_cast<unsigned>(loop::contract_tile_rows(target.vector_bytes));
  plan_lhs(emission, contract, plan);
  plan.is_rhs_transposed = is_transposed(emission, contract.rhs, contract.n, contract.k);
  plan.is_lhs_transposed = is_transposed(emission, contract.lhs, contract.k, contract.m);

  const std::optional<int64_t> n = longest(contract.n_extent);
  if (n && *n <= plan.lanes) plan.vectors = 1;
  // Where n is not known, tiles for narrow panels would be code that mostly waits in vain.
  plan.has_narrow_tiles = plan.vectors > 1 && expr::is_constant(contract.n_extent);
  plan.n_block = kPanels * plan.width();
  if (n) plan.n_block = std::min(plan.n_block, round_up(std::max<int64_t>(*n, 1), plan.width()));
  const std::optional<int64_t> k = longest(contract.k_extent);
  const auto lanes = static_cast<int64_t>(plan.lanes);
  plan.k_block = k ? std::min(kDepth, round_up(std::max<int64_t>(*k, 1), lanes)) : kDepth;
  plan.lhs_pitch = plan.k_block + lanes;  // so that rows do not share sets of the cache
  plan.m_block = kRows;
  const std::optional<int64_t> m = longest(contract.m_extent);
  if (m) {
    const int64_t unit = plan.is_lhs_transposed ? std::max(plan.rows, plan.lanes) : plan.rows;
    plan.m_block = std::min(plan.m_block, round_up(std::max<int64_t>(*m, 1), unit));
  }
  return plan;
}

}  // namespace ridge::codegen

#include <algorithm>

#include "ridge/codegen/llvm/contract.h"
#include "ridge/codegen/llvm/lane_form.h"

namespace ridge::codegen {
namespace {

// 256 x 32 floats of B are 32 KiB: the first-level cache of most machines, less what A needs. Eight
// such panels, and a block of C of that size, share the second-level cache.
constexpr int64_t kDepth = 256;
constexpr int64_t kRowsDirect = 256;
constexpr int64_t kPanels = 8;
// A packed block of A should stay in the second-level cache: 64 x 1024 floats are 256 KiB.
constexpr int64_t kRowsPacked = 64;
constexpr int64_t kDepthPacked = 1024;

std::optional<int64_t> known(const Expr& e) {
  if (!expr::is_constant(e)) return std::nullopt;
  return e->integer;
}

int64_t round_up(int64_t value, int64_t unit) { return (value + unit - 1) / unit * unit; }

bool holds_axis(const Expr& e, int a, int b) {
  bool result = false;
  expr::walk(e, [&](const Expr& node) {
    result |= node->kind == expr::Kind::axis && (node->index == a || node->index == b);
  });
  return result;
}

// The stride along an axis, if the index is linear in it.
std::optional<Expr> stride_along(Emission& emission, int axis, const Expr& index) {
  const int outer = std::exchange(emission.frame.vector_axis, axis);
  std::optional<Expr> stride = LaneForm(emission).stride(index);
  emission.frame.vector_axis = outer;
  return stride;
}

void plan_lhs(Emission& emission, const loop::Contract& contract, ContractPlan& plan) {
  const Expr& lhs = contract.lhs;
  if (lhs->kind != expr::Kind::load) return;
  const DType stored = emission.kernel.buffers[static_cast<size_t>(lhs->index)].dtype;
  if (stored != contract.accumulator) return;
  const auto m_stride = stride_along(emission, contract.m, lhs->args[0]);
  const auto k_stride = stride_along(emission, contract.k, lhs->args[0]);
  if (!m_stride || !k_stride) return;
  if (holds_axis(*m_stride, contract.m, contract.k)) return;
  if (holds_axis(*k_stride, contract.m, contract.k)) return;
  if (!expr::is_constant(*k_stride, 1) && !expr::is_constant(*m_stride, 1)) return;
  plan.is_lhs_direct = true;
  plan.m_stride = *m_stride;
  plan.k_stride = *k_stride;
}

// Whether lanes along `axis` would have to be gathered, while along `other` they are neighbors.
bool lies_across(Emission& emission, const Expr& e, int axis, int other) {
  bool result = false;
  expr::walk(e, [&](const Expr& node) {
    if (node->kind != expr::Kind::load) return;
    const auto along = stride_along(emission, axis, node->args[0]);
    if (along && (expr::is_constant(*along, 0) || expr::is_constant(*along, 1))) return;
    const auto across = stride_along(emission, other, node->args[0]);
    result |= across && expr::is_constant(*across, 1);
  });
  return result;
}

}  // namespace

ContractPlan plan_contract(Emission& emission, const loop::Contract& contract) {
  const CpuTarget& target = emission.code.target;
  const bool is_float = contract.accumulator == f32;
  ContractPlan plan{};
  plan.element = register_type(emission.code, contract.accumulator);
  plan.arithmetic = is_float ? f32 : f64;
  plan.lanes = static_cast<unsigned>(target.vector_bytes / (is_float ? 4 : 8));
  plan.vectors = 2;
  plan.rows = target.vector_bytes >= 64 ? 8 : 4;  // 32 registers, or 16
  plan_lhs(emission, contract, plan);
  plan.is_rhs_transposed = lies_across(emission, contract.rhs, contract.n, contract.k);
  plan.is_lhs_transposed = lies_across(emission, contract.lhs, contract.k, contract.m);

  const std::optional<int64_t> n = known(contract.n_extent);
  if (n && *n <= plan.lanes) plan.vectors = 1;
  plan.n_block = kPanels * plan.width();
  if (n) plan.n_block = std::min(plan.n_block, round_up(std::max<int64_t>(*n, 1), plan.width()));
  const std::optional<int64_t> k = known(contract.k_extent);
  // Read in place, rows of A that are far apart fall on few lines of the cache.
  if (plan.is_lhs_transposed && k && *k <= kDepthPacked) plan.is_lhs_direct = false;
  const auto lanes = static_cast<int64_t>(plan.lanes);
  plan.k_block = k ? std::min(kDepth, round_up(std::max<int64_t>(*k, 1), lanes)) : kDepth;
  plan.packs_lhs_once = !plan.is_lhs_direct && k && *k <= kDepthPacked;
  plan.packed_depth =
      plan.packs_lhs_once ? round_up(std::max<int64_t>(*k, 1), lanes) : plan.k_block;
  plan.m_block = plan.is_lhs_direct ? kRowsDirect : kRowsPacked;
  const std::optional<int64_t> m = known(contract.m_extent);
  if (m) {
    const int64_t unit = plan.is_lhs_transposed ? std::max(plan.rows, plan.lanes) : plan.rows;
    plan.m_block = std::min(plan.m_block, round_up(std::max<int64_t>(*m, 1), unit));
  }
  return plan;
}

}  // namespace ridge::codegen

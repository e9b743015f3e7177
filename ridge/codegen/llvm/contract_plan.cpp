#include <algorithm>

#include "ridge/codegen/llvm/contract.h"
#include "ridge/codegen/llvm/lane_form.h"

namespace ridge::codegen {
namespace {

// 256 x 32 floats of B are 32 KiB: the first-level cache of most machines, less what A needs.
constexpr int64_t kDepth = 256;
constexpr int64_t kRowsDirect = 256;
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

void plan_rhs(Emission& emission, const loop::Contract& contract, ContractPlan& plan) {
  expr::walk(contract.rhs, [&](const Expr& node) {
    if (node->kind != expr::Kind::load) return;
    const auto along_n = stride_along(emission, contract.n, node->args[0]);
    const bool is_easy = along_n && (expr::is_constant(*along_n, 0) || expr::is_constant(*along_n, 1));
    const auto along_k = stride_along(emission, contract.k, node->args[0]);
    if (!is_easy && along_k && expr::is_constant(*along_k, 1)) plan.is_rhs_transposed = true;
  });
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
  plan_rhs(emission, contract, plan);

  const std::optional<int64_t> n = known(contract.n_extent);
  if (n && *n <= plan.lanes) plan.vectors = 1;
  const std::optional<int64_t> k = known(contract.k_extent);
  const auto lanes = static_cast<int64_t>(plan.lanes);
  plan.k_block = k ? std::min(kDepth, round_up(std::max<int64_t>(*k, 1), lanes)) : kDepth;
  plan.packs_lhs_once = !plan.is_lhs_direct && k && *k <= kDepthPacked;
  plan.packed_depth = plan.packs_lhs_once ? round_up(std::max<int64_t>(*k, 1), lanes) : plan.k_block;
  plan.m_block = plan.is_lhs_direct ? kRowsDirect : kRowsPacked;
  const std::optional<int64_t> m = known(contract.m_extent);
  if (m) {
    plan.m_block = std::min(plan.m_block, round_up(std::max<int64_t>(*m, 1), plan.rows));
  }
  return plan;
}

}  // namespace ridge::codegen

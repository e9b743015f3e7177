#include "ridge/codegen/llvm/body_weight.h"

#include <algorithm>
#include <unordered_set>

#include "ridge/expr/interval.h"
#include "ridge/loop/mapping_rules.h"

namespace ridge::codegen {
namespace {

using expr::Expr;
using expr::Kind;

// Above these a body is emitted once, under a mask in every round. With AVX-512 a mask costs next to
// nothing, and one elementary function is enough: compiling it once takes half the time.
constexpr int kHeavy = 50;
constexpr int kHeavyWithMasks = 20;

class Weigher {
 public:
  explicit Weigher(const loop::Kernel& kernel) : kernel_(kernel) {}

  BodyWeight weight;

  void add(const loop::Body& body) {
    visit_statements(body, [&](const loop::Statement& s) { std::visit(*this, s.kind); });
  }

  void operator()(const loop::Loop&) {}
  void operator()(const loop::If& branch) { add(branch.condition); }
  void operator()(const loop::Let& let) {
    weight.has_f32 |= let.arithmetic == f32;
    weight.wide += let.arithmetic == f64 ? 1 : 0;
    add_value(let.value);
    add(let.expression);
  }
  void operator()(const loop::Var& var) { add_value(var.value); }
  void operator()(const loop::Assign& assign) {
    weight.has_f32 |= assign.arithmetic == f32;
    add(assign.expression);
  }
  void operator()(const loop::Reduce&) {
    weight.has_reduction = true;
    ++weight.operations;
  }
  void operator()(const loop::Store&) { ++weight.operations; }
  void operator()(const loop::Contract& contract) {
    add(contract.lhs);
    add(contract.rhs);
  }
  void operator()(const loop::Barrier&) {}
  void operator()(const loop::CollectiveReduce&) {}
  void operator()(const loop::AsyncCopy&) {}
  void operator()(const loop::WaitCopies&) {}
  void operator()(const loop::BulkCopy&) {}
  void operator()(const loop::TileStatement auto&) {}

 private:
  void add_value(int value) {
    const DType dtype = kernel_.values[static_cast<size_t>(value)].dtype;
    weight.has_f32 |= dtype == f32;
    weight.wide += dtype == f64 || dtype == i64 ? 1 : 0;
  }

  // The index of a load is mostly scalar arithmetic, and not counted.
  void add(const Expr& e) {
    if (!seen_.insert(e.get()).second) return;
    if (e->kind == Kind::load) {
      ++weight.operations;
      return;
    }
    if (e->kind == Kind::call) {
      ++weight.operations;
      weight.calls += expr::info(e->function).is_elementary ? 1 : 0;
      weight.wide += e->type == expr::Type::integer ? 1 : 0;
    }
    for (const Expr& arg : e->args) add(arg);
  }

  const loop::Kernel& kernel_;
  std::unordered_set<const expr::Node*> seen_;
};

}  // namespace

bool BodyWeight::is_heavy(const CpuTarget& target) const {
  const bool has_mask_registers = target.vector_bytes == 64;
  return total() > (has_mask_registers ? kHeavyWithMasks : kHeavy);
}

BodyWeight weigh(const loop::Body& body, const loop::Kernel& kernel) {
  Weigher weigher(kernel);
  weigher.add(body);
  return weigher.weight;
}

std::optional<int64_t> longest(const Expr& extent) {
  const expr::Interval interval = expr::interval_of(extent);
  if (interval.high == expr::Interval::all().high) return std::nullopt;
  return std::max<int64_t>(interval.high, 0);
}

unsigned choose_lanes(const CpuTarget& target, const BodyWeight& weight,
                      std::optional<int64_t> longest_extent) {
  const auto register_lanes = static_cast<unsigned>(target.vector_bytes / (weight.has_f32 ? 4 : 8));
  auto registers = static_cast<unsigned>(loop::registers_of_sum(weight.total()));
  // Without a sum to keep going, loads and stores bind, and two are enough to cover them.
  if (!weight.has_reduction) registers = std::min(registers, 2u);
  while (registers > 1 && longest_extent && register_lanes * registers > *longest_extent) {
    registers /= 2;
  }
  return register_lanes * registers;
}

}  // namespace ridge::codegen

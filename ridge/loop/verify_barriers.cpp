// Which values and loops the threads of a block may disagree on, found as a least fixed point:
// what depends on block and lane axes, and what changes where only some threads get to.
#include "ridge/base/text.h"
#include "ridge/loop/verify_parts.h"

namespace ridge::loop {
namespace {

class BarrierVerifier {
 public:
  // `scope`: block or cluster, whose threads all reach a barrier or none does.
  BarrierVerifier(const Kernel& kernel, Place scope)
      : kernel_(kernel),
        scope_(scope),
        varies_(kernel.values.size()),
        axis_varies_(static_cast<size_t>(kernel.axis_count)) {}

  void run() {
    do {
      has_changed_ = false;
      body(kernel_.body, false);
    } while (has_changed_);
    is_settled_ = true;
    body(kernel_.body, false);
  }

 private:
  bool varies(const Expr& e) const {
    bool found = false;
    walk(e, [&](const Expr& node) {
      const auto index = static_cast<size_t>(node->index);
      if (node->kind == expr::Kind::axis) found |= axis_varies_[index];
      if (node->kind == expr::Kind::input) found |= varies_[index];
      if (node->kind == expr::Kind::load) {
        found |= kernel_.buffers[index].space == Space::local;
      }
    });
    return found;
  }
  void set(std::vector<bool>& flags, int index, bool value) {
    if (!value || flags[static_cast<size_t>(index)]) return;
    flags[static_cast<size_t>(index)] = true;
    has_changed_ = true;
  }

  void body(const Body& statements, bool is_divergent) {
    for (const Statement& statement : statements) {
      current_ = &statement;
      std::visit([&](const auto& kind) { visit_kind(kind, is_divergent); }, statement.kind);
    }
  }
  void visit_kind(const Loop& loop, bool is_divergent) {
    const bool is_uneven = varies(loop.extent);
    set(axis_varies_, loop.axis, loop.place >= scope_ || is_uneven);
    body(loop.body, is_divergent || is_uneven);
  }
  void visit_kind(const If& branch, bool is_divergent) {
    body(branch.then, is_divergent || varies(branch.condition));
  }
  void visit_kind(const Let& let, bool is_divergent) {
    set(varies_, let.value, is_divergent || varies(let.expression));
  }
  void visit_kind(const Var& var, bool is_divergent) {
    set(varies_, var.value, is_divergent || varies(var.initial));
  }
  void visit_kind(const Assign& assign, bool is_divergent) {
    set(varies_, assign.value, is_divergent || varies(assign.expression));
  }
  void visit_kind(const Reduce& reduce, bool is_divergent) {
    const bool has_factor = reduce.factor >= 0;
    set(varies_, reduce.value,
        is_divergent || varies_[static_cast<size_t>(reduce.operand)] ||
            (has_factor && varies_[static_cast<size_t>(reduce.factor)]));
  }
  void visit_kind(const Store&, bool) {}
  void visit_kind(const Contract& contract, bool is_divergent) {
    bool is_uneven = false;
    for (const Expr* extent : {&contract.m_extent, &contract.n_extent, &contract.k_extent}) {
      is_uneven |= varies(*extent);
    }
    for (const int axis : {contract.m, contract.n, contract.k}) {
      set(axis_varies_, axis, is_uneven);
    }
    set(varies_, contract.value,
        is_divergent || is_uneven || varies(contract.lhs) || varies(contract.rhs));
    body(contract.body, is_divergent || is_uneven);
  }
  void visit_kind(const Barrier&, bool is_divergent) const {
    check_reached(is_divergent, "barriers");
  }
  // The var keeps its mark: what it was before the threads agreed counts too.
  void visit_kind(const CollectiveReduce&, bool is_divergent) const {
    check_reached(is_divergent, "collective reductions");
  }
  // Each thread waits for its own copies.
  void visit_kind(const AsyncCopy&, bool) const {}
  void visit_kind(const WaitCopies&, bool) const {}
  // Each block of a cluster has bulk copies of its own.
  void visit_kind(const BulkCopy& copy, bool is_divergent) const {
    if (scope_ != Place::gpu_thread) return;
    check_reached(is_divergent, "a bulk_copy");
    if (!is_settled_ || !(varies(copy.first) || varies(copy.count))) return;
    refuse(kernel_, *current_, "bulk_copy of elements on which all threads of the block agree");
  }
  // What an element is may differ; where all threads get to does not.
  void visit_kind(const ReadElement& read, bool) { set(varies_, read.value, true); }
  void visit_kind(const TileStatement auto& kind, bool is_divergent) {
    if constexpr (requires { kind.body; }) body(kind.body, is_divergent);
  }
  void check_reached(bool is_divergent, const char* what) const {
    if (!is_settled_ || !is_divergent) return;
    refuse(kernel_, *current_,
           concat(what,
                  " that all threads of the block reach, not under a condition or loop on which "
                  "they may disagree"));
  }

  const Kernel& kernel_;
  Place scope_;
  const Statement* current_ = nullptr;
  std::vector<bool> varies_;
  std::vector<bool> axis_varies_;
  bool has_changed_ = false;
  bool is_settled_ = false;
};

}  // namespace

void verify_barriers(const Kernel& kernel) {
  if (!is_gpu_kernel(kernel)) return;
  BarrierVerifier(kernel, Place::gpu_thread).run();
  if (cluster_blocks(kernel) > 1) BarrierVerifier(kernel, Place::gpu_cluster_block).run();
}

}  // namespace ridge::loop

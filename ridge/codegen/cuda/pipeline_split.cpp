// Can the loop over rows be split into a reduce phase and an apply phase?
#include <algorithm>

#include "ridge/codegen/cuda/emission.h"
#include "ridge/codegen/cuda/row_pipeline.h"

namespace ridge::codegen::cuda {
namespace {

// The apply phase must need nothing of the reduce phase but its sums, and values that can be computed again.
class SplitCheck {
 public:
  SplitCheck(const loop::Kernel& kernel, const PipelinePlan& plan)
      : plan_(plan),
        is_lost_(kernel.values.size()),
        is_var_(kernel.values.size()),
        is_stored_(kernel.buffers.size()) {
    for_each_statement(kernel.body, [&](const loop::Statement& statement) {
      if (const auto* const var = as<loop::Var>(statement)) is_var_[at(var->value)] = true;
      if (const auto* const store = as<loop::Store>(statement))
        is_stored_[at(store->buffer)] = true;
    });
  }

  bool run() {
    const loop::Body& body = plan_.loop->body;
    for (size_t i = 0; i < plan_.first_reduction; ++i) {
      const auto* const own = as<loop::Let>(body[i]);
      for_each_statement(body[i], [&](const loop::Statement& statement) {
        note_reduce_phase(statement, own != nullptr && can_repeat(own->expression));
      });
    }
    for (size_t i = plan_.after_reductions; i < body.size(); ++i) {
      for_each_statement(body[i],
                         [&](const loop::Statement& statement) { check_apply_phase(statement); });
    }
    return can_split_;
  }

 private:
  static size_t at(int number) { return static_cast<size_t>(number); }
  bool is_sum(int value) const { return std::ranges::count(plan_.sums, value) > 0; }

  // Made of values that do not change: no partial sums, and no memory that the kernel writes.
  bool can_repeat(const Expr& e) const {
    bool can = true;
    expr::walk(e, [&](const Expr& node) {
      if (node->kind == expr::Kind::input)
        can &= !is_var_[at(node->index)] && !is_lost_[at(node->index)];
      if (node->kind == expr::Kind::load) can &= !is_stored_[at(node->index)];
    });
    return can;
  }

  // A statement of the reduce phase.
  void note_reduce_phase(const loop::Statement& statement, bool can_be_repeated) {
    const bool writes = as<loop::Store>(statement) != nullptr ||
                        as<loop::AsyncCopy>(statement) != nullptr ||
                        as<loop::Assign>(statement) != nullptr;
    can_split_ &= !writes;
    if (const auto* const let = as<loop::Let>(statement)) {
      is_lost_[at(let->value)] = !can_be_repeated;
    } else if (const auto* const var = as<loop::Var>(statement)) {
      is_lost_[at(var->value)] = !is_sum(var->value);
      declared_.push_back(var->value);
    } else if (const auto* const reduce = as<loop::Reduce>(statement)) {
      can_split_ &= std::ranges::count(declared_, reduce->value) > 0;
    }
  }

  // A statement of the apply phase.
  void check_apply_phase(const loop::Statement& statement) {
    const auto use = [&](int value) { can_split_ &= !is_lost_[at(value)]; };
    for_each_expression(statement, [&](const Expr& e) {
      expr::walk(e, [&](const Expr& node) {
        if (node->kind == expr::Kind::input) use(node->index);
      });
    });
    const auto change = [&](int value) { can_split_ &= !is_sum(value) && !is_lost_[at(value)]; };
    if (const auto* const store = as<loop::Store>(statement)) use(store->value);
    if (const auto* const assign = as<loop::Assign>(statement)) change(assign->value);
    if (const auto* const reduce = as<loop::Reduce>(statement)) {
      use(reduce->operand);
      change(reduce->value);
    }
  }

  const PipelinePlan& plan_;
  std::vector<bool> is_lost_, is_var_;  // by value
  std::vector<bool> is_stored_;         // by buffer
  std::vector<int> declared_;           // vars of the reduce phase
  bool can_split_ = true;
};

}  // namespace

bool can_split(const loop::Kernel& kernel, const PipelinePlan& plan) {
  return SplitCheck(kernel, plan).run();
}

}  // namespace ridge::codegen::cuda

// Masks of lanes, and the ways to write a masked branch.
#include "ridge/codegen/cuda/masked_branch.h"

#include <concepts>
#include <optional>

#include "ridge/codegen/cuda/emission.h"
#include "ridge/codegen/cuda/lane_memory.h"
#include "ridge/codegen/cuda/lane_values.h"
#include "ridge/codegen/cuda/packed_rows.h"
#include "ridge/codegen/cuda/vector_part.h"
#include "ridge/expr/simplify.h"

namespace ridge::codegen::cuda {

namespace {

using expr::Function;
using expr::Kind;

// n < i: if the first lane is active, all are.
bool starts_at_bound(Emission& emission, const Expr& condition) {
  return expr::is_call(condition, Function::less) &&
         condition->args[0]->type == expr::Type::integer &&
         lane_stride(emission, condition->args[0]) == 0 &&
         lane_stride(emission, condition->args[1]) == 1;
}

Expr at_lane(const Emission& emission, const Expr& e, int64_t lane) {
  const int axis = emission.region->axis;
  return expr::simplify(expr::transform(e, [&](const Expr& node) -> Expr {
    return node->kind == Kind::axis && node->index == axis ? Expr(lane) : node;
  }));
}

// The mask in a few instructions; nothing where each lane must evaluate the condition.
std::optional<std::string> mask_text(Emission& emission, const Expr& condition) {
  const auto first_lanes = [&](const Expr& count) {
    emission.use("first_lanes_mask");
    return concat("ridge::first_lanes_mask<", emission.region->lanes, ">(",
                  write_index(emission, expr::simplify(count)), ")");
  };
  if (expr::is_call(condition, Function::logical_and)) {
    const auto a = mask_text(emission, condition->args[0]);
    const auto b = mask_text(emission, condition->args[1]);
    return a && b ? std::optional(concat("(", *a, ") & (", *b, ")")) : std::nullopt;
  }
  if (!expr::is_call(condition, Function::less)) return std::nullopt;
  // Side by side: a comparison that is simplified as a whole may be divided by a common factor.
  const Expr low = at_lane(emission, condition->args[0], 0);
  const Expr high = at_lane(emission, condition->args[1], 0);
  if (ends_at_bound(emission, condition)) return first_lanes(high - low);
  if (!starts_at_bound(emission, condition)) return std::nullopt;
  const uint64_t all = (uint64_t{1} << emission.region->lanes) - 1;
  return concat(all, " & ~", first_lanes(low - high + 1));
}

}  // namespace

bool ends_at_bound(Emission& emission, const Expr& condition) {
  return expr::is_call(condition, Function::less) &&
         condition->args[0]->type == expr::Type::integer &&
         lane_stride(emission, condition->args[0]) == 1 &&
         lane_stride(emission, condition->args[1]) == 0;
}

std::optional<Expr> if_all_lanes(Emission& emission, const Expr& condition) {
  if (expr::is_call(condition, Function::logical_and)) {
    const auto a = if_all_lanes(emission, condition->args[0]);
    const auto b = if_all_lanes(emission, condition->args[1]);
    return a && b ? std::optional(*a && *b) : std::nullopt;
  }
  if (ends_at_bound(emission, condition)) {
    return at_lane(emission, condition, emission.region->lanes - 1);
  }
  if (starts_at_bound(emission, condition)) return at_lane(emission, condition, 0);
  return std::nullopt;
}

std::optional<Expr> if_some_lane(Emission& emission, const Expr& condition, int64_t first,
                                 int64_t count) {
  if (ends_at_bound(emission, condition)) return at_lane(emission, condition, first);
  if (starts_at_bound(emission, condition)) {
    return at_lane(emission, condition, first + count - 1);
  }
  return std::nullopt;
}

std::string write_lane_mask(Emission& emission, const Expr& condition) {
  const std::string mask = emission.names.add("mask");
  if (const auto text = mask_text(emission, condition)) {
    emission.out.line("const unsigned ", mask, " = ", *text, ";");
    return mask;
  }
  emission.out.line("unsigned ", mask, " = 0;");
  for_each_lane(emission, [&] {
    const std::string text = condition_text(emission, condition);
    emission.out.line("if (", text, ") ", mask, " |= 1u << ", lane_name(emission), ";");
  });
  return mask;
}

// The ways to write a branch of lanes, and which of them fits.

namespace {

class MaskedBranchWriter {
 public:
  MaskedBranchWriter(Emission& emission, const loop::If& branch)
      : emission_(emission), condition_(branch.condition) {
    for (const loop::Statement& statement : branch.then) {
      add_lane_values(*emission.region, statement);
      (as<loop::AsyncCopy>(statement) != nullptr ? copies_ : part_).push_back(&statement);
    }
  }

  void write() {
    if (peels_last_thread()) return write_end();
    if (!part_.empty()) write_part();
    for (const loop::Statement* copy : copies_) {
      write_async_copy(emission_, *as<loop::AsyncCopy>(*copy), condition_);
    }
  }

 private:
  // Can the last thread of a row run lane by lane? Not in a loop over rows: all threads would wait for it.
  bool peels_last_thread() {
    const bool is_in_row_loop = emission_.loop_depth > 1;
    return copies_.empty() && !is_in_row_loop && ends_at_bound(emission_, condition_) &&
           can_run_lane_by_lane(emission_, part_);
  }

  // Vectorized for all threads but the last one of a row, which runs lane by lane: few instructions for a rare case.
  void write_end() {
    const Expr all = *if_all_lanes(emission_, condition_);
    write_twice(condition_text(emission_, all), [&] { write_one_by_one(); });
  }
  void write_one_by_one() {
    declare_lane_arrays(emission_, part_);
    const std::string& lane = lane_name(emission_);
    emission_.out.line("#pragma unroll 1");
    emission_.out.line("for (int ", lane, " = 0; ", lane, " < ", emission_.region->lanes - 1,
                       "; ++", lane, ") {");
    {
      const auto indent = emission_.out.indent();
      emission_.out.line("if (!(", condition_text(emission_, condition_), ")) break;");
      for (const loop::Statement* statement : part_) write_statement(emission_, *statement);
    }
    emission_.out.line("}");
  }

  // A mask costs an instruction or two for each lane, so only threads that need it compute it, unless the code is
  // branch-free.
  void write_part() {
    if (copies_only()) return write_with(write_lane_mask(emission_, condition_));
    if (is_branch_free(emission_)) return write_with(write_opaque_mask());
    const std::optional<Expr> all = if_all_lanes(emission_, condition_);
    if (all) {
      return write_twice(condition_text(emission_, *all),
                         [&] { write_if_some(write_lane_mask(emission_, condition_)); });
    }
    const std::string mask = write_lane_mask(emission_, condition_);
    write_twice(concat(mask, " == ", (1u << emission_.region->lanes) - 1),
                [&] { write_if_some(mask); });
  }
  void write_if_some(const std::string& mask) {
    emission_.out.line("if (", mask, " != 0) {");
    {
      const auto indent = emission_.out.indent();
      write_with(mask);
    }
    emission_.out.line("}");
  }
  void write_with(const std::string& mask) { write_unrolled_part(emission_, part_, mask); }

  // For threads all of whose lanes are active, and for others.
  template <std::invocable WriteOthers>
  void write_twice(const std::string& if_all, const WriteOthers& write_others) {
    emission_.out.line("if (", if_all, ") {");
    {
      const auto indent = emission_.out.indent();
      write_unrolled_part(emission_, part_);
    }
    emission_.out.line("} else {");
    {
      const auto indent = emission_.out.indent();
      write_others();
    }
    emission_.out.line("}");
  }

  // The compiler must not see how the mask was made: CUDA 13 derives from the minimum in it whether all lanes are active,
  // and gets it wrong.
  std::string write_opaque_mask() {
    const std::string mask = write_lane_mask(emission_, condition_);
    const std::string opaque = emission_.names.add("mask");
    emission_.use("opaque");
    emission_.out.line("const unsigned ", opaque, " = ridge::opaque(", mask, ");");
    return opaque;
  }

  bool copies_only() const {
    for (size_t i = 0; i < part_.size(); i += 2) {
      const bool is_copy = i + 1 < part_.size() &&
                           copied_load(emission_.is_packed, *part_[i], *part_[i + 1]) != nullptr;
      if (!is_copy) return false;
    }
    return true;
  }

  Emission& emission_;
  const Expr& condition_;
  Part part_, copies_;  // what lanes compute, and the asynchronous copies after it
};

}  // namespace

void write_masked_branch(Emission& emission, const loop::If& branch) {
  MaskedBranchWriter(emission, branch).write();
}

}  // namespace ridge::codegen::cuda

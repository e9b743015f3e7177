#include "ridge/codegen/llvm/lane_table.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IntrinsicsX86.h>

#include <algorithm>
#include <bit>

namespace ridge::codegen {
namespace {

using expr::Function;
using expr::Kind;

constexpr unsigned kEntries = 16;  // of a register of AVX-512
// With fewer functions of a code, computing is as cheap as looking up.
constexpr int kFewestSteps = 2;

bool is_code(const expr::Node& node) {
  if (node.kind != Kind::call || node.function != Function::mod) return false;
  if (node.type != expr::Type::integer || !expr::is_constant(node.args[1])) return false;
  const int64_t count = node.args[1]->integer;
  return count > 1 && count <= kEntries && std::has_single_bit(static_cast<uint64_t>(count));
}

}  // namespace

LaneCodes::LaneCodes(const Emission& emission, LaneForm& form, DType arithmetic)
    : emission_(emission),
      form_(form),
      has_tables_(arithmetic == f32 && emission.code.target.vector_bytes == 64) {}

LaneCodes::Dependence LaneCodes::dependence(const Expr& e) {
  if (const auto known = known_.find(e.get()); known != known_.end()) return known->second;
  Dependence result;
  const auto stride = form_.stride(e);
  if (stride && expr::is_constant(*stride, 0)) {
    result.is_known = true;
  } else if (is_code(*e) && !form_.is_index_arithmetic(e)) {
    result = {.is_known = true, .code = &e};
  } else if ((e->kind == Kind::call || e->kind == Kind::cast) && !form_.is_unsafe(e)) {
    result.is_known = e->kind == Kind::cast || e->function != Function::philox;
    for (const Expr& arg : e->args) {
      const Dependence below = dependence(arg);
      const bool is_same =
          result.code == nullptr || below.code == nullptr || expr::same(*result.code, *below.code);
      result.is_known &= below.is_known && is_same;
      if (!result.is_known) break;
      if (below.code != nullptr) result.code = below.code;
      result.steps = std::max(result.steps, below.steps);
    }
    ++result.steps;
  }
  known_.emplace(e.get(), result);
  return result;
}

const Expr* LaneCodes::find(const Expr& e) {
  if (!has_tables_ || emission_.frame.lanes != kEntries || e->type != expr::Type::real)
    return nullptr;
  if (e->kind != Kind::call) return nullptr;
  const Dependence found = dependence(e);
  return found.is_known && found.steps >= kFewestSteps ? found.code : nullptr;
}

Value* code_numbers(Code& code, const expr::Node& modulo) {
  Value* numbers = lane_numbers(code, kEntries);
  return code.builder.CreateAnd(numbers, integer_like(numbers, modulo.args[1]->integer - 1));
}

Value* lane_index(Code& code, Value* integers) {
  integers = splat(code, integers, kEntries);
  return code.builder.CreateTrunc(integers, shaped_like(integers, code.builder.getInt32Ty()));
}

Value* shifted_lane_index(Code& code, Value* x, Value* by) {
  const llvm::DataLayout& layout = code.module.getDataLayout();
  if (llvm::computeKnownBits(x, layout).countMaxActiveBits() > 32) return nullptr;
  if (llvm::computeKnownBits(by, layout).countMaxActiveBits() > 5) return nullptr;
  return code.builder.CreateLShr(lane_index(code, x), lane_index(code, by));
}

Value* look_up_lanes(Code& code, Value* entries, Value* index) {
  return code.builder.CreateIntrinsic(llvm::Intrinsic::x86_avx512_permvar_sf_512, {},
                                      {entries, index});
}

}  // namespace ridge::codegen

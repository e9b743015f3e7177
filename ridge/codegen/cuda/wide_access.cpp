// Which accesses of a vector loop are contiguous, and how wide they may be.
#include <algorithm>

#include "ridge/codegen/cuda/emission.h"
#include "ridge/expr/simplify.h"

namespace ridge::codegen::cuda {
namespace {

using expr::Function;
using expr::Kind;

// Lanes that start at a multiple of their number do not cross a multiple of the divisor, if it is
// one too.
bool stays_inside(Emission& emission, const Expr& dividend, const Expr& divisor) {
  const int64_t lanes = emission.region->lanes;
  if (!expr::is_constant(divisor) || divisor->integer <= 0 || divisor->integer % lanes != 0) {
    return false;
  }
  return emission.ranges.of(at_first_lane(emission, dividend)).multiple % lanes == 0;
}

}  // namespace

bool is_uniform(const Emission& emission, const Expr& e) {
  const Region& region = *emission.region;
  bool result = true;
  expr::walk(e, [&](const Expr& node) {
    result &= !(node->kind == Kind::axis && node->index == region.axis);
    result &= !(node->kind == Kind::input && region.lane_values.contains(node->index));
  });
  return result;
}

std::optional<int64_t> lane_stride(Emission& emission, const Expr& e) {
  if (is_uniform(emission, e)) return 0;
  if (e->kind == Kind::axis) return 1;
  if (e->kind != Kind::call || e->type != expr::Type::integer) return std::nullopt;
  const std::optional<int64_t> a = lane_stride(emission, e->args[0]);
  if (!a) return std::nullopt;
  if (e->function == Function::neg) return -*a;
  if (e->args.size() != 2) return std::nullopt;
  const std::optional<int64_t> b = lane_stride(emission, e->args[1]);
  if (!b) return std::nullopt;
  if (*a == 0 && *b == 0) return 0;
  if (e->function == Function::add) return *a + *b;
  if (e->function == Function::sub) return *a - *b;
  if (e->function == Function::mul) {
    const Expr& factor = *a == 0 ? e->args[0] : e->args[1];
    if (!expr::is_constant(factor)) return std::nullopt;
    return factor->integer * (*a == 0 ? *b : *a);
  }
  const bool divides = e->function == Function::floor_div || e->function == Function::mod;
  if (!divides || *a != 1 || !stays_inside(emission, e->args[0], e->args[1])) return std::nullopt;
  return e->function == Function::mod ? 1 : 0;
}

Expr at_first_lane(const Emission& emission, const Expr& index) {
  const int axis = emission.region->axis;
  return expr::simplify(expr::transform(index, [&](const Expr& node) -> Expr {
    return node->kind == Kind::axis && node->index == axis ? Expr(0) : node;
  }));
}

int wide_bytes(Emission& emission, int buffer, const Expr& index) {
  const loop::Buffer& info = emission.buffer(buffer);
  if (info.space == loop::Space::local || lane_stride(emission, index) != 1) return 0;
  const int64_t element = info.dtype.bits / 8;
  const int64_t multiple = emission.ranges.of(at_first_lane(emission, index)).multiple;
  const int64_t bytes =
      std::min({kWideBytes, element * emission.region->lanes, element * multiple});
  return bytes > element ? static_cast<int>(bytes) : 0;
}

}  // namespace ridge::codegen::cuda

#include "ridge/schedule/register_types.h"

#include <limits>

namespace ridge::schedule {

DType register_dtype(DType dtype) {
  if (is_floating(dtype)) return dtype == f64 ? f64 : f32;
  return is_boolean(dtype) ? boolean : i64;
}

expr::Expr stored_as(const expr::Expr& e, expr::Type type) {
  if (e->type != expr::Type::real || type != expr::Type::integer) return expr::cast(e, type);
  const expr::Expr is_finite = expr::abs(e) < std::numeric_limits<double>::infinity();
  return expr::cast(expr::select(is_finite, e, 0.0), type);
}

bool is_exact_as(DType from, DType to) {
  if (from == to) return true;
  if (is_boolean(from)) return true;
  if (is_floating(to)) {
    if (!is_floating(from)) return !is_16_bit_float(to);  // rounded by the arithmetic itself
    return to.bits >= 32;
  }
  if (is_floating(from) || is_boolean(to)) return false;
  return to == i64 || (to == i32 && from.bits < 32);
}

}  // namespace ridge::schedule

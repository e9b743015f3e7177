#include "ridge/schedule/register_types.h"

namespace ridge::schedule {

DType register_dtype(DType dtype) {
  if (is_floating(dtype)) return dtype == f64 ? f64 : f32;
  return is_boolean(dtype) ? boolean : i64;
}

expr::Expr stored_as(const expr::Expr& e, DType dtype) {
  const expr::Expr value = expr::cast(e, scalar_type(dtype));
  const bool is_narrowed = e->type == expr::Type::real && is_integer(dtype) && dtype.bits < 64;
  if (!is_narrowed) return value;
  const bool is_signed = dtype.kind == DTypeKind::signed_integer;
  const int64_t end = int64_t{1} << (is_signed ? dtype.bits - 1 : dtype.bits);
  return expr::min(expr::max(value, is_signed ? -end : 0), end - 1);
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

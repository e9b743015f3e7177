// Types, literals and conversions.
#include <charconv>
#include <cmath>

#include "ridge/base/error.h"
#include "ridge/codegen/cuda/emission.h"

namespace ridge::codegen::cuda {
namespace {

template <class Real>
std::string digits(Real value) {
  char text[40];
  const auto end = std::to_chars(text, text + sizeof text, value);
  std::string result(text, end.ptr);
  if (result.find_first_of(".e") == std::string::npos) result += ".0";
  return result;
}

}  // namespace

std::string_view name(CppType type) {
  switch (type) {
    case CppType::boolean: return "bool";
    case CppType::int32: return "int";
    case CppType::int64: return "long long";
    case CppType::f32: return "float";
    case CppType::f64: return "double";
  }
  return "?";
}

CppType register_type(DType dtype) {
  if (dtype == f64) return CppType::f64;
  if (is_floating(dtype)) return CppType::f32;
  if (is_boolean(dtype)) return CppType::boolean;
  return dtype.bits == 64 ? CppType::int64 : CppType::int32;
}

std::string_view element_type(DType dtype) {
  if (dtype == bf16) return "ridge::bf16";
  if (dtype == f16) return "ridge::f16";
  if (dtype == boolean) return "ridge::bool8";
  if (dtype == i8) return "signed char";
  if (dtype == u8) return "unsigned char";
  return name(register_type(dtype));
}

std::string parenthesized(const Operand& operand, int level) {
  return operand.level > level ? concat("(", operand.text, ")") : operand.text;
}

std::string literal(Emission& emission, double value, CppType type) {
  const bool is_float = type == CppType::f32;
  const double rounded = is_float ? static_cast<double>(static_cast<float>(value)) : value;
  if (std::isfinite(rounded)) {
    return is_float ? digits(static_cast<float>(value)) + "f" : digits(value);
  }
  const std::string_view constant = std::isnan(rounded) ? "not_a_number" : "infinity";
  emission.use(constant);
  const std::string_view sign = rounded < 0 ? "-" : "";
  return concat(sign, "ridge::", constant, "()");
}

Operand converted(Emission& emission, Operand operand, CppType type) {
  if (operand.type == type) return operand;
  if (type == CppType::boolean) {
    const std::string zero = is_real(operand.type) ? literal(emission, 0, operand.type) : "0";
    return {concat(parenthesized(operand, 4), " != ", zero), type, 6};
  }
  const bool is_truncated = is_real(operand.type) && !is_real(type);
  if (is_truncated) {
    emission.use("to_integer");
    return {concat("ridge::to_integer(", operand.text, ")"), type};
  }
  // A type of two words is no function.
  if (type == CppType::int64) {
    const bool is_literal = operand.text.find_first_not_of("0123456789") == std::string::npos;
    if (is_literal) return {operand.text + "LL", type};
    return {concat("(long long)", parenthesized(operand, 0)), type, 1};
  }
  return {concat(name(type), "(", operand.text, ")"), type};
}

std::string narrowed(Emission& emission, const Operand& value, DType dtype) {
  const std::string_view type = element_type(dtype);
  if (dtype == boolean) {
    return concat(type, "(", converted(emission, value, CppType::boolean).text, ")");
  }
  if (is_16_bit_float(dtype)) {
    const bool is_wide = value.type == CppType::f64 || value.type == CppType::int64;
    if (is_wide) emission.use("round_to_odd");
    if (is_wide) return concat(type, "(ridge::round_to_odd(", value.text, "))");
    return concat(type, "(", converted(emission, value, CppType::f32).text, ")");
  }
  if (is_real(value.type) && !is_floating(dtype)) {
    if (dtype == i64) return converted(emission, value, CppType::int64).text;
    emission.use("saturated");
    const bool is_signed = dtype.kind == DTypeKind::signed_integer;
    const int64_t end = int64_t{1} << (is_signed ? dtype.bits - 1 : dtype.bits);
    return concat("ridge::saturated<", type, ">(", value.text, ", ", is_signed ? -end : 0, ", ",
                  end - 1, ")");
  }
  if (value.type == register_type(dtype) && type == name(value.type)) return value.text;
  return concat("static_cast<", type, ">(", value.text, ")");
}

}  // namespace ridge::codegen::cuda

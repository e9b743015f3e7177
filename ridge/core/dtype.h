// Element types: {kind, bits}.
//
// Nine types are complete (every op that makes sense for them accepts them): f64 f32 f16 bf16
// i64 i32 i8 u8 bool. The others are storage-only: they can be allocated, viewed, copied and
// passed on, and an op that would have to do arithmetic on them says so. Quantized tensors are ops
// over such storage and scales, not a type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "ridge/expr/function.h"

namespace ridge {

// The two 16-bit floating types as storage: arithmetic happens after widening.
//
// Both round to nearest even, straight from double, so that a value stored by the reference
// evaluator is rounded once. Subnormals and NaN are kept, overflow goes to infinity.

struct Half {
  uint16_t bits = 0;
  Half() = default;
  explicit Half(double value);
  explicit operator double() const;
  explicit operator float() const { return static_cast<float>(static_cast<double>(*this)); }
  bool operator==(const Half& other) const { return double(*this) == double(other); }
};

struct BFloat16 {
  uint16_t bits = 0;
  BFloat16() = default;
  explicit BFloat16(double value);
  explicit operator double() const;
  explicit operator float() const { return static_cast<float>(static_cast<double>(*this)); }
  bool operator==(const BFloat16& other) const { return double(*this) == double(other); }
};

enum class DTypeKind : uint8_t {
  boolean,
  signed_integer,
  unsigned_integer,
  ieee_float,
  brain_float,
  float8_e4m3,
  float8_e5m2,
};

struct DType {
  DTypeKind kind = DTypeKind::ieee_float;
  uint8_t bits = 32;
  constexpr bool operator==(const DType&) const = default;
};

inline constexpr DType f64{DTypeKind::ieee_float, 64};
inline constexpr DType f32{DTypeKind::ieee_float, 32};
inline constexpr DType f16{DTypeKind::ieee_float, 16};
inline constexpr DType bf16{DTypeKind::brain_float, 16};
inline constexpr DType i64{DTypeKind::signed_integer, 64};
inline constexpr DType i32{DTypeKind::signed_integer, 32};
inline constexpr DType i16{DTypeKind::signed_integer, 16};
inline constexpr DType i8{DTypeKind::signed_integer, 8};
inline constexpr DType i4{DTypeKind::signed_integer, 4};
inline constexpr DType u64{DTypeKind::unsigned_integer, 64};
inline constexpr DType u32{DTypeKind::unsigned_integer, 32};
inline constexpr DType u16{DTypeKind::unsigned_integer, 16};
inline constexpr DType u8{DTypeKind::unsigned_integer, 8};
inline constexpr DType u4{DTypeKind::unsigned_integer, 4};
inline constexpr DType f8e4m3{DTypeKind::float8_e4m3, 8};
inline constexpr DType f8e5m2{DTypeKind::float8_e5m2, 8};
inline constexpr DType boolean{DTypeKind::boolean, 8};

std::span<const DType> all_dtypes();
std::span<const DType> complete_dtypes();  // the nine that ops compute with
std::string_view name(DType dtype);        // "f32", "bool", ...
std::optional<DType> find_dtype(std::string_view name);

constexpr bool is_floating(DType d) { return d.kind >= DTypeKind::ieee_float; }
constexpr bool is_16_bit_float(DType d) { return is_floating(d) && d.bits == 16; }
constexpr bool is_boolean(DType d) { return d.kind == DTypeKind::boolean; }
constexpr bool is_integer(DType d) { return !is_floating(d) && !is_boolean(d); }
bool is_storage_only(DType d);

// The type in which expressions over such elements are evaluated.
constexpr expr::Type scalar_type(DType d) {
  return is_floating(d)  ? expr::Type::real
         : is_boolean(d) ? expr::Type::boolean
                         : expr::Type::integer;
}

// Bytes that `count` elements take; 4-bit types are packed two to a byte.
size_t bytes_for(DType dtype, int64_t count);
// Distance between values next to 1: 2^-52 for f64, 2^-7 for bf16. Zero for non-floating types.
double epsilon(DType dtype);

// PyTorch's promotion of two dtypes (of one priority): bool < integers < floating; f16 with bf16
// gives f32. One pair differs: u8 with i8 gives i32, as PyTorch's i16 is storage-only here.
// Storage-only types promote with themselves only, anything else is an Error{dtype}.
DType promote(DType a, DType b);
// The dtype of floating results of integer inputs, and of plain C++ doubles.
inline constexpr DType kDefaultFloat = f32;

// DTypeOf<T>::value: the dtype of a C++ element type.
template <DType kDType>
struct DTypeIs {
  static constexpr DType value = kDType;
};
template <class T>
struct DTypeOf;
template <>
struct DTypeOf<double> : DTypeIs<f64> {};
template <>
struct DTypeOf<float> : DTypeIs<f32> {};
template <>
struct DTypeOf<Half> : DTypeIs<f16> {};
template <>
struct DTypeOf<BFloat16> : DTypeIs<bf16> {};
template <>
struct DTypeOf<int64_t> : DTypeIs<i64> {};
template <>
struct DTypeOf<int32_t> : DTypeIs<i32> {};
template <>
struct DTypeOf<int8_t> : DTypeIs<i8> {};
template <>
struct DTypeOf<uint8_t> : DTypeIs<u8> {};
template <>
struct DTypeOf<bool> : DTypeIs<boolean> {};

// A C++ type that is the element of a complete dtype.
template <class T>
concept Element = requires { DTypeOf<T>::value; };

[[noreturn]] void throw_storage_only(DType dtype);

// Calls f.template operator()<T>() with the C++ type of a complete dtype.
template <class F>
decltype(auto) visit_dtype(DType dtype, F&& f) {
  if (dtype == f32) return f.template operator()<float>();
  if (dtype == f64) return f.template operator()<double>();
  if (dtype == f16) return f.template operator()<Half>();
  if (dtype == bf16) return f.template operator()<BFloat16>();
  if (dtype == i64) return f.template operator()<int64_t>();
  if (dtype == i32) return f.template operator()<int32_t>();
  if (dtype == i8) return f.template operator()<int8_t>();
  if (dtype == u8) return f.template operator()<uint8_t>();
  if (dtype == boolean) return f.template operator()<bool>();
  throw_storage_only(dtype);
}

}  // namespace ridge

#include "ridge/core/dtype.h"

#include <algorithm>
#include <array>
#include <string>

#include "ridge/base/error.h"
#include "ridge/base/text.h"

namespace ridge {
namespace {

struct Row {
  DType dtype;
  std::string_view name;
};

// The complete types first, so that both lists are parts of one table.
constexpr size_t kCompleteCount = 9;
constexpr std::array kTable = {
    Row{f64, "f64"},       Row{f32, "f32"}, Row{f16, "f16"}, Row{bf16, "bf16"},
    Row{i64, "i64"},       Row{i32, "i32"}, Row{i8, "i8"},   Row{u8, "u8"},
    Row{boolean, "bool"},  Row{i16, "i16"}, Row{i4, "i4"},   Row{u64, "u64"},
    Row{u32, "u32"},       Row{u16, "u16"}, Row{u4, "u4"},   Row{f8e4m3, "f8e4m3"},
    Row{f8e5m2, "f8e5m2"},
};

constexpr auto kAll = [] {
  std::array<DType, kTable.size()> dtypes;
  std::ranges::transform(kTable, dtypes.begin(), &Row::dtype);
  return dtypes;
}();

// bool < integers < floating: the higher class wins whatever the widths.
int promotion_class(DType d) { return is_floating(d) ? 2 : is_integer(d) ? 1 : 0; }

}  // namespace

std::span<const DType> all_dtypes() { return kAll; }
std::span<const DType> complete_dtypes() { return std::span(kAll).first(kCompleteCount); }

std::string_view name(DType dtype) {
  const auto* row = std::ranges::find(kTable, dtype, &Row::dtype);
  RIDGE_INTERNAL_CHECK(row != kTable.end(), "a DType that is not in the table");
  return row->name;
}

std::optional<DType> find_dtype(std::string_view name) {
  const auto* row = std::ranges::find(kTable, name, &Row::name);
  return row == kTable.end() ? std::nullopt : std::optional(row->dtype);
}

bool is_storage_only(DType d) {
  const auto complete = complete_dtypes();
  return std::ranges::find(complete, d) == complete.end();
}

size_t bytes_for(DType dtype, int64_t count) {
  RIDGE_CHECK(count >= 0, .code = ErrorCode::value, .expected = "a number of elements >= 0",
              .given = std::to_string(count));
  int64_t bits = 0;
  RIDGE_CHECK(!__builtin_mul_overflow(count, int64_t{dtype.bits}, &bits), .code = ErrorCode::memory,
              .expected = "fewer than 2^63 bits of memory",
              .given = concat(count, " elements of ", name(dtype)));
  return static_cast<size_t>(bits / 8 + (bits % 8 != 0));
}

double epsilon(DType dtype) {
  switch (dtype.kind) {
    case DTypeKind::boolean:
    case DTypeKind::signed_integer:
    case DTypeKind::unsigned_integer: return 0;
    case DTypeKind::ieee_float:
      return dtype.bits == 64 ? 0x1p-52 : dtype.bits == 32 ? 0x1p-23 : 0x1p-10;
    case DTypeKind::brain_float: return 0x1p-7;
    case DTypeKind::float8_e4m3: return 0x1p-3;
    case DTypeKind::float8_e5m2: return 0x1p-2;
  }
  return 0;
}

DType promote(DType a, DType b) {
  if (a == b) return a;
  if (is_storage_only(a)) throw_storage_only(a);
  if (is_storage_only(b)) throw_storage_only(b);

  const int class_a = promotion_class(a), class_b = promotion_class(b);
  if (class_a != class_b) return class_a > class_b ? a : b;
  if (a.bits != b.bits) return a.bits > b.bits ? a : b;
  // Left are f16 with bf16 and u8 with i8: neither holds the other's values, so the next wider
  // type does. For the integers PyTorch takes i16, which is storage-only here.
  return is_floating(a) ? f32 : i32;
}

void throw_storage_only(DType dtype) {
  throw_error(
      {.code = ErrorCode::dtype,
       .expected = "one of " + join(complete_dtypes(), ", ", [](DType d) { return name(d); }),
       .given = std::string(name(dtype)) + ", which can only be stored",
       .hint = "convert it to a type that ops compute with"});
}

}  // namespace ridge

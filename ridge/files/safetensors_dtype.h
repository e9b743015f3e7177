// The names that safetensors has for dtypes.
#pragma once

#include <optional>
#include <string_view>

#include "ridge/core/dtype.h"

namespace ridge::files {

struct SafetensorsDType {
  std::string_view name;
  DType dtype;
};

inline constexpr SafetensorsDType kSafetensorsDTypes[] = {
    {"F64", f64}, {"F32", f32}, {"F16", f16},      {"BF16", bf16},      {"I64", i64},
    {"I32", i32}, {"I16", i16}, {"I8", i8},        {"U64", u64},        {"U32", u32},
    {"U16", u16}, {"U8", u8},   {"BOOL", boolean}, {"F8_E4M3", f8e4m3}, {"F8_E5M2", f8e5m2},
    {"I4", i4},   {"U4", u4},
};

constexpr std::optional<DType> find_safetensors_dtype(std::string_view name) {
  for (const auto& known : kSafetensorsDTypes) {
    if (known.name == name) return known.dtype;
  }
  return std::nullopt;
}

constexpr std::string_view safetensors_name(DType dtype) {
  for (const auto& known : kSafetensorsDTypes) {
    if (known.dtype == dtype) return known.name;
  }
  return "";
}

}  // namespace ridge::files

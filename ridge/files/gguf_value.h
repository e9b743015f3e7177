// How GGUF numbers the types of metadata and tensors, and a walk over one value.
//
// A value in the file: u32 type, then a number of 1 to 8 bytes; or a text, u64 length and bytes; or an
// array, u32 type of elements, u64 count, elements without types of their own.
#pragma once

#include <optional>
#include <span>

#include "ridge/files/byte_reader.h"
#include "ridge/files/gguf.h"

namespace ridge::files {

inline constexpr uint32_t kGgufBool = 7, kGgufText = 8, kGgufArray = 9;

struct GgufScalar {
  std::string_view name;
  uint64_t bytes;  // 0: text or array
  GgufKind kind;
  bool is_signed;
};
// Nothing for a number that is no type.
std::optional<GgufScalar> gguf_scalar(uint32_t type);

// What a tensor can be. Types that GGUF has and Ridge does not read have neither dtype nor blocks.
struct GgufTensorType {
  uint32_t number;
  std::string_view name;
  std::optional<DType> dtype;
  std::optional<BlockFormat> blocks;
};
std::span<const GgufTensorType> gguf_tensor_types();

}  // namespace ridge::files

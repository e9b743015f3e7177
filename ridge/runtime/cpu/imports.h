// The names generated code may call; nothing else is found, so an object cannot reach further.
//
//   sin, cos, exp, log, tanh, erf, pow, fmod      libm on f64
//   sinf, cosf, powf, fmodf                       libm on f32, for arguments out of the usual
//   floor, ceil, trunc, rint, fma, and with f     where the target has no instruction for them
//   sincos, sincosf, memcpy, memset, memmove      LLVM makes calls of these by itself
#pragma once

#include <span>
#include <string_view>

namespace ridge::runtime {

struct Import {
  std::string_view name;
  void* address;
};

std::span<const Import> imports();

}  // namespace ridge::runtime

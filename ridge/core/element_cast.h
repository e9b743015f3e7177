// Conversion between element types, as storing a value means it.
//
//   to boolean     value != 0, so NaN is true
//   to integers    a real is truncated toward zero and NaN and infinities give 0; then the value
//                  wraps to the width, as unsigned arithmetic does
//   to floating    rounded once, to nearest even
//
//   element_cast<uint8_t>(-1.9) == 255     element_cast<int8_t>(int64_t{300}) == 44
#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>

#include "ridge/core/half.h"

namespace ridge {

template <class T>
inline constexpr bool kIsHalf = std::same_as<T, Half> || std::same_as<T, BFloat16>;

// A real modulo 2^64. What does not fit into 64 bits is an integer already, and fmod is exact.
inline uint64_t wrap_real(double value) {
  if (std::abs(value) < 0x1p63) return static_cast<uint64_t>(static_cast<int64_t>(value));
  if (!std::isfinite(value)) return 0;
  const auto magnitude = static_cast<uint64_t>(std::fmod(std::abs(value), 0x1p64));
  return value < 0 ? 0 - magnitude : magnitude;
}

template <class To, class From>
To element_cast(From value) {
  if constexpr (kIsHalf<From>) {
    return element_cast<To>(static_cast<double>(value));
  } else if constexpr (std::same_as<To, bool>) {
    return value != From{};
  } else if constexpr (kIsHalf<To>) {
    return To(static_cast<double>(value));
  } else if constexpr (std::integral<To> && std::floating_point<From>) {
    return static_cast<To>(wrap_real(value));
  } else {
    return static_cast<To>(value);
  }
}

}  // namespace ridge

// Conversion between element types: the one rule, for `cast` and for storing a value. Reference,
// interpreter and generated code of every backend follow it.
//
//   to boolean            value != 0, so NaN is true
//   real to integer       truncated toward zero; what the type does not reach becomes its lowest or
//                         highest number, and NaN becomes 0
//   integer to integer    wraps to the width, as unsigned arithmetic does
//   to floating           rounded once, to nearest even
//
// Reals that fit once they are truncated are all that C++ defines, and PyTorch with it: it agrees on
// them, and what it gives for others depends on the processor.
//
//   element_cast<uint8_t>(-1.9) == 0     element_cast<int8_t>(1e20) == 127
//   element_cast<int8_t>(int64_t{300}) == 44
#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>

#include "ridge/core/dtype.h"

namespace ridge {

template <class T>
inline constexpr bool kIsHalf = std::same_as<T, Half> || std::same_as<T, BFloat16>;

template <std::integral To>
To saturated(double value) {
  using Limits = std::numeric_limits<To>;
  // The highest number itself may have no double: the first one behind it has.
  constexpr double kBehind = 2.0 * static_cast<double>(uint64_t{1} << (Limits::digits - 1));
  if (std::isnan(value)) return 0;
  if (value >= kBehind) return Limits::max();
  if (value <= static_cast<double>(Limits::lowest())) return Limits::lowest();
  return static_cast<To>(value);
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
    return saturated<To>(value);
  } else {
    return static_cast<To>(value);
  }
}

}  // namespace ridge

// The two 16-bit floating types as storage: arithmetic happens after widening.
//
// Both round to nearest even, straight from double, so that a value stored by the reference
// evaluator is rounded once. Subnormals and NaN are kept, overflow goes to infinity.
#pragma once

#include <cstdint>

namespace ridge {

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

}  // namespace ridge

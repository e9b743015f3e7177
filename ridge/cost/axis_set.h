// A set of axes of one kernel, of at most 64.
//
//   AxisSet axes;
//   axes.add(3);
//   axes.has(3), axes.has(-1)      true, false: -1 is no axis
#pragma once

#include <cstdint>

#include "ridge/base/error.h"

namespace ridge::cost {

class AxisSet {
 public:
  static constexpr int kMost = 64;

  AxisSet() = default;
  // A bit for each axis.
  explicit AxisSet(uint64_t bits) : bits_(bits) {}

  void add(int axis) { bits_ |= bit(axis); }
  bool is_empty() const { return bits_ == 0; }
  bool has(int axis) const { return (bits_ & bit(axis)) != 0; }
  AxisSet with(int axis) const { return AxisSet(bits_ | bit(axis)); }
  AxisSet& operator|=(AxisSet other) {
    bits_ |= other.bits_;
    return *this;
  }
  bool operator==(const AxisSet&) const = default;

 private:
  static uint64_t bit(int axis) {
    RIDGE_INTERNAL_CHECK(axis < kMost, "more axes in a kernel than a set of them holds");
    return axis < 0 ? 0 : uint64_t{1} << static_cast<unsigned>(axis);
  }

  uint64_t bits_ = 0;
};

}  // namespace ridge::cost

#include "ridge/reference/points.h"

namespace ridge::reference {

Ints known_sizes(const Shape& shape) {
  Ints sizes;
  for (const Size& size : shape) {
    RIDGE_INTERNAL_CHECK(!size.is_symbolic(), "values of a symbolic size: " + size.to_text());
    sizes.push_back(*size.known());
  }
  return sizes;
}

int64_t point_count(std::span<const int64_t> extents) {
  int64_t count = 1;
  for (const int64_t extent : extents) count *= extent;
  return count;
}

}  // namespace ridge::reference

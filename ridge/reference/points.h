// The points of an iteration space, in row-major order.
//
//   std::vector<Word> axes(2);                     // {0, 0}
//   do visit(axes); while (next_point(axes, {2, 3}));   // {0,0} {0,1} {0,2} {1,0} ...
//
// A space without axes has one point; one with an extent of 0 has none, which is the caller's to
// ask before the first visit.
#pragma once

#include <span>

#include "ridge/core/shape.h"
#include "ridge/reference/word.h"

namespace ridge::reference {

// The sizes as integers. Values exist only where sizes are known: Error{internal} otherwise.
Ints known_sizes(const Shape& shape);

int64_t point_count(std::span<const int64_t> extents);

// Steps to the next point; false, with every axis back at 0, when there is none.
inline bool next_point(std::span<Word> axes, std::span<const int64_t> extents) {
  for (size_t i = extents.size(); i-- > 0;) {
    if (++axes[i].integer < extents[i]) return true;
    axes[i].integer = 0;
  }
  return false;
}

}  // namespace ridge::reference

// A word: the value of an expression without its type, which the bytecode around it knows.
//
// Booleans are the integers 0 and 1, so they share all integer instructions.
#pragma once

#include <cstdint>
#include <span>

#include "ridge/core/shape.h"
#include "ridge/expr/evaluate.h"

namespace ridge::reference {

union Word {
  int64_t integer = 0;
  double real;

  static Word of(int64_t value) { return {.integer = value}; }
  static Word of(double value) { return {.real = value}; }
  static Word of(const expr::Number& number) {
    return number.type == expr::Type::real ? of(number.real) : of(number.integer);
  }
};

inline expr::Number number_of(Word word, expr::Type type) {
  switch (type) {
    case expr::Type::boolean: return expr::Number::of(word.integer != 0);
    case expr::Type::integer: return expr::Number::of(word.integer);
    case expr::Type::real: return expr::Number::of(word.real);
  }
  return {};
}

// The points of an iteration space, in row-major order.
//
//   std::vector<Word> axes(2);                     // {0, 0}
//   do visit(axes); while (next_point(axes, {2, 3}));   // {0,0} {0,1} {0,2} {1,0} ...
//
// A space without axes has one point; one with an extent of 0 has none, which is the caller's to
// ask before the first visit.

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

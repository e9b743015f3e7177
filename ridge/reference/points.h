// A word: the value of an expression without its type, which the bytecode around it knows.
//
// Booleans are the integers 0 and 1, so they share all integer instructions.
#pragma once

#include <cstdint>
#include <span>

#include "ridge/core/shape.h"
#include "ridge/expr/evaluate.h"
#include "ridge/ops/definition.h"

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

// How a definition's reducer combines values: in double for reals, in wrapping 64 bits otherwise.
//
// The value of a range is its first value combined with the others in turn. `max`, `min`, `argmax`
// and `argmin` all come down to `beats`: the later value has to be strictly better, so of equals
// the first stays, and a NaN beats everything but an earlier NaN.

class Reduction {
 public:
  Reduction(ops::Reducer reducer, expr::Type value_type);

  // The type that values are converted to before they are combined.
  expr::Type type() const { return type_; }
  bool gives_position() const {
    return reducer_ == ops::Reducer::argmax || reducer_ == ops::Reducer::argmin;
  }

  Word combine(Word so_far, Word value) const;  // not for those that give a position
  bool beats(Word value, Word so_far) const;    // for max, min and those
  // The value of an empty range; Error{value} where there is none.
  Word of_nothing() const;

 private:
  Word word(int64_t value) const;

  ops::Reducer reducer_;
  expr::Type type_;
};

}  // namespace ridge::reference

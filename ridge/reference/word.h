// A word: the value of an expression without its type, which the bytecode around it knows.
//
// Booleans are the integers 0 and 1, so they share all integer instructions.
#pragma once

#include <cstdint>

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

}  // namespace ridge::reference

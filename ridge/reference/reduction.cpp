#include <algorithm>
#include <cmath>

#include "ridge/base/error.h"
#include "ridge/expr/integer.h"
#include "ridge/reference/points.h"

namespace ridge::reference {

using expr::Type;
using ops::Reducer;

Reduction::Reduction(Reducer reducer, Type value_type) : reducer_(reducer), type_(value_type) {
  if (reducer == Reducer::any || reducer == Reducer::all) type_ = Type::boolean;
  if (reducer == Reducer::sum || reducer == Reducer::prod) type_ = std::max(type_, Type::integer);
}

Word Reduction::word(int64_t value) const {
  return type_ == Type::real ? Word::of(static_cast<double>(value)) : Word::of(value);
}

bool Reduction::beats(Word value, Word so_far) const {
  const bool wants_larger = reducer_ == Reducer::max || reducer_ == Reducer::argmax;
  if (type_ != Type::real) {
    return wants_larger ? value.integer > so_far.integer : value.integer < so_far.integer;
  }
  if (std::isnan(so_far.real)) return false;
  if (std::isnan(value.real)) return true;
  return wants_larger ? value.real > so_far.real : value.real < so_far.real;
}

Word Reduction::combine(Word so_far, Word value) const {
  const bool is_real = type_ == Type::real;
  switch (reducer_) {
    case Reducer::sum:
      return is_real ? Word::of(so_far.real + value.real)
                     : Word::of(expr::wrapping_add(so_far.integer, value.integer));
    case Reducer::prod:
      return is_real ? Word::of(so_far.real * value.real)
                     : Word::of(expr::wrapping_mul(so_far.integer, value.integer));
    case Reducer::max:
    case Reducer::min: return beats(value, so_far) ? value : so_far;
    case Reducer::any: return Word::of(so_far.integer | value.integer);
    case Reducer::all: return Word::of(so_far.integer & value.integer);
    case Reducer::none: return value;  // a scatter that writes
    case Reducer::argmax:
    case Reducer::argmin: break;
  }
  throw Error({.code = ErrorCode::internal,
               .expected = "a reducer that combines values",
               .given = "one that gives a position"});
}

Word Reduction::of_nothing() const {
  switch (reducer_) {
    case Reducer::sum:
    case Reducer::any: return word(0);
    case Reducer::prod:
    case Reducer::all: return word(1);
    case Reducer::none:
    case Reducer::max:
    case Reducer::min:
    case Reducer::argmax:
    case Reducer::argmin: break;
  }
  throw Error({.code = ErrorCode::value,
               .expected = "at least one element to choose from",
               .given = "an empty range"});
}

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

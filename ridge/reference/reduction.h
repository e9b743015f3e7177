// How a definition's reducer combines values: in double for reals, in wrapping 64 bits otherwise.
//
// The value of a range is its first value combined with the others in turn. `max`, `min`, `argmax`
// and `argmin` all come down to `beats`: the later value has to be strictly better, so of equals
// the first stays, and a NaN beats everything but an earlier NaN.
#pragma once

#include "ridge/ops/definition.h"
#include "ridge/reference/points.h"

namespace ridge::reference {

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

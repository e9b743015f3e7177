// Reads elements of an operand as words of the type an expression asks for.
//
// A value goes from the stored dtype to the compute dtype of the op (ops::DTypes::inputs), then to
// the type of the load:
//   f64 number 0.1, compute f32, load real    ->  0.1 rounded to f32, in a double
//   i32 3, compute bf16, load real            ->  3.0
// A compute dtype of 16 bits rounds like f32, because kernels widen such values (design §18).
// Integers wrap to a narrower compute dtype, and again where they are stored; reals saturate:
//   i64 300, compute i8                       ->  44
//   f64 -1, compute u8                        ->  0
//
// Storage-only dtypes have no value, but their bits can be moved: the word is those bits.
#pragma once

#include "ridge/core/dtype.h"
#include "ridge/reference/points.h"

namespace ridge::reference {

class Reader {
 public:
  // Error{dtype} for packed 4-bit elements, which have no address.
  Reader(DType stored, DType compute, expr::Type wanted);

  Word operator()(const void* data, int64_t index) const {
    const Word word = read_(data, index);
    return is_converting_ ? convert(word) : word;
  }

 private:
  Word convert(Word word) const;

  Word (*read_)(const void* data, int64_t index);
  int64_t (*wrap_)(int64_t value) = nullptr;     // to the compute dtype, where that is narrower,
  int64_t (*saturate_)(double value) = nullptr;  // of reals
  expr::Type stored_;
  expr::Type compute_;
  expr::Type wanted_;
  bool is_rounding_;
  bool is_converting_;
};

// The counterpart for storage-only dtypes; store_element is the one for all others.
void store_bits(DType dtype, void* data, int64_t index, Word bits);

}  // namespace ridge::reference

// What softmax and layer norm need to know of a row before they can write it. Two passes over the row find it;
// where nothing holds the row from the one to the other, as of a million elements, it is cut into chunks that
// caches hold, and what is found of these becomes what holds for the row.
//
//   top   = max x                   of each chunk    top_c, total_c = sum exp(x - top_c)
//   total = sum exp(x - top)        of the row       top = max top_c, total = sum total_c exp(top_c - top)
//
//   mean, variance                  of the row       variance = mean of variance_c + (mean_c - mean)^2
//
// Only where the calls become a program: by itself each of them reads and writes the row, and chunks save none.
// So the reference, which computes call by call, finds the same by the plain way.
#pragma once

#include <optional>

#include "ridge/core/tensor.h"
#include "ridge/ops/at.h"

namespace ridge::ops {

struct Exponentials {
  Tensor shifted;  // x - top: exp of it is at most 1, and is 1 somewhere
  Tensor values;   // exp of it
  Tensor total;    // with the reduced dimension, of size 1
};
Exponentials exponentials(const Tensor& x, int64_t dim);

struct CenteredRows {
  Tensor centered;  // x - mean
  Tensor variance;  // with the reduced dimensions, of size 1
};
CenteredRows centered_rows(const Tensor& x, const Ints& dims);  // the last ones

// Elements of each chunk of a row that is cut, a divisor of its length.
std::optional<int64_t> row_chunk(const Size& length);

}  // namespace ridge::ops

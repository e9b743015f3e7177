// Sizes that change from call to call: what users say about them.
//
//   compile(step, {.argument_names = {"model", "x"},
//                  .dims = {{"x", 0, Dim("batch", 1, 4096)}, {"mask", 0, Dim("batch", 1, 4096)}}})
//
// A declared size is symbolic from the first call on: one program serves its whole range. Sizes of
// one name are equal in every call. Error{value}, at the line of `compile`, for a size outside of its
// range, and for two ranges of one name or two names of one size; Error{shape}, at the line that needs it, where the function fixes a declared size, or makes
// two of different names equal.
//
// Any other size is as in the first call, and becomes symbolic when another call has another one
// (`Dynamic::automatic`). An argument that the function takes as a `Size` is treated the same way,
// whether it is given as one or as an integer; what it takes as an `int` is a C++ value, and fixed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ridge/base/error.h"

namespace ridge {

enum class Dynamic : uint8_t {
  never,      // a program for each set of sizes
  automatic,  // sizes that have changed are symbolic
  always,     // all are, from the first call on
};

// A size with a name and a range.
struct Dim {
  static constexpr int64_t kLargest = int64_t{1} << 31;
  // Error{value} unless 0 <= low <= high <= kLargest.
  explicit Dim(std::string name, int64_t low = 0, int64_t high = kLargest,
               Location where = Location::current());
  std::string name;
  int64_t low, high;
};

// A dimension of the tensor with this path ("x", "batch.images"), or a `Size` argument, dim 0.
struct DimOf {
  std::string path;
  int64_t dim;  // counted from the end if negative
  Dim size;
};

}  // namespace ridge

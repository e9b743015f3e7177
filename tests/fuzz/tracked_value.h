// A value of the oracle: right, and as it came out of the runs with moved operands.
#pragma once

#include <array>
#include <vector>

#include "ridge/base/random.h"
#include "ridge/core/tensor.h"

namespace ridge::fuzz {

inline constexpr size_t kRuns = 6;

struct Tracked {
  DType dtype = f32;  // in the graph; floating values are f64 here
  Tensor value{};
  bool is_exact = true;  // then the runs are not there: all would be `value`
  bool is_lost = false;  // nothing is known of how far it may be off
  std::array<Tensor, kRuns> runs{};

  const Tensor& run(size_t k) const { return is_exact ? value : runs[k]; }
};

// What is given, and no other.
Tracked exactly(const Tensor& tensor);
// A fresh, row-major tensor of f64.
Tensor of_doubles(const std::vector<double>& values, const Shape& shape);

// Floating numbers as f64, others as they are.
Tensor widened_to_f64(const Tensor& tensor);
// The scale of one rounding of a number of that dtype.
double rounding(double x, DType dtype);
// Can the dtype hold every element?
bool is_representable(const Tensor& doubles, DType dtype);
// Eighths of few digits: sums of them, and of their products, are exact in any order.
bool is_coarse(const Tensor& tensor);
// Is every element of `result` one of `operands`?
bool is_moved_from(const Tensor& result, const std::vector<Tensor>& operands);
bool overflows(const Tensor& doubles, DType dtype);

// Elements moved by up to one rounding of `dtype`, of f64 by a few; others than f64 tensors as they are.
Tensor moved(const Tensor& tensor, DType dtype, SplitMix64& random);
// By element: how far a right result may be off. Infinite where it is not known.
std::vector<double> tolerances(const Tracked& tracked);

}  // namespace ridge::fuzz

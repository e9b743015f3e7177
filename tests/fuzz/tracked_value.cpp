#include "tests/fuzz/tracked_value.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_set>

#include "tests/fuzz/fuzz_case.h"

namespace ridge::fuzz {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Runs move operands by up to one rounding, so their norm is about twice the deviation that rounding
// causes. A norm of six runs is below a tenth of that in one case out of ten million.
constexpr double kScatterFactor = 10;
// What a function may be off by itself, in roundings of its result.
constexpr double kOwnRoundings = 8;

double smallest_normal(DType dtype) {
  if (dtype == f64) return std::numeric_limits<double>::min();
  return dtype == f16 ? 0x1p-14 : std::numeric_limits<float>::min();
}

double largest(DType dtype) {
  if (dtype == f64) return std::numeric_limits<double>::max();
  return dtype == f16 ? 65504 : std::numeric_limits<float>::max();
}

}  // namespace

Tensor of_doubles(const std::vector<double>& values, const Shape& shape) {
  return Tensor::of<double>(values, shape);
}

// A plain number too, lest it give way to the default float.
Tensor widened_to_f64(const Tensor& tensor) {
  const bool is_wide = tensor.dtype() == f64 && !tensor.is_weak();
  if (!is_floating(tensor.dtype()) || is_wide) return tensor;
  return of_doubles(tensor.to_vector<double>(), tensor.shape());
}

Tracked exactly(const Tensor& tensor) {
  Tracked tracked;
  tracked.dtype = tensor.dtype();
  tracked.value = widened_to_f64(tensor);
  return tracked;
}

double rounding(double x, DType dtype) {
  return epsilon(dtype) * std::max(std::abs(x), smallest_normal(dtype));
}

bool is_representable(const Tensor& doubles, DType dtype) {
  if (dtype == f64) return false;  // the oracle itself has rounded
  for (const double x : doubles.to_vector<double>()) {
    // A multiple of the spacing between numbers of its size.
    if (!std::isfinite(x) || x == 0) continue;
    const double spacing = std::ldexp(epsilon(dtype), std::ilogb(x));
    if (std::abs(x) < smallest_normal(dtype) || std::fmod(x, spacing) != 0) return false;
  }
  return true;
}

bool is_coarse(const Tensor& tensor) {
  for (const double x : tensor.to_vector<double>()) {
    if (std::isfinite(x) && (std::abs(x) > 16 || x * 8 != std::trunc(x * 8))) return false;
  }
  return true;
}

bool is_moved_from(const Tensor& result, const std::vector<Tensor>& operands) {
  std::unordered_set<double> elements;
  bool has_nan = false;
  for (const Tensor& operand : operands) {
    for (const double x : operand.to_vector<double>()) {
      // Each NaN differs from all others, and has their place: many would be found one by one.
      if (std::isnan(x)) {
        has_nan = true;
      } else {
        elements.insert(x);
      }
    }
  }
  const std::vector<double> values = result.to_vector<double>();
  return std::all_of(values.begin(), values.end(),
                     [&](double x) { return std::isnan(x) ? has_nan : elements.count(x) > 0; });
}

bool overflows(const Tensor& doubles, DType dtype) {
  for (const double x : doubles.to_vector<double>()) {
    if (std::isfinite(x) && std::abs(x) > largest(dtype) / 4) return true;
  }
  return false;
}

// Runs in f64 round to f64 themselves: moved by one rounding, all six of one element in ten thousand come out
// as the right value.
Tensor moved(const Tensor& tensor, DType dtype, SplitMix64& random) {
  constexpr double kSteps = 4;
  if (!is_floating(dtype)) return tensor;
  const double steps = dtype == f64 ? kSteps : 1;
  std::vector<double> values = tensor.to_vector<double>();
  for (double& x : values) {
    if (!std::isfinite(x)) continue;
    if (x == 0) {
      // It was rounded to 0, and is found so by all readers; its sign is that of where a sum begins.
      x = std::copysign(x, random.uniform(-1, 1));
    } else {
      x += steps * rounding(x, dtype) * random.uniform(-1, 1);
    }
  }
  return of_doubles(values, tensor.shape());
}

std::vector<double> tolerances(const Tracked& tracked) {
  const std::vector<double> right = tracked.value.to_vector<double>();
  std::vector<double> result(right.size(), 0.0);
  if (tracked.is_lost) return std::vector<double>(right.size(), kInfinity);
  if (!tracked.is_exact) {
    for (const Tensor& run : tracked.runs) {
      const std::vector<double> values = run.to_vector<double>();
      for (size_t i = 0; i < right.size(); ++i) {
        const bool is_same =
            values[i] == right[i] || (std::isnan(values[i]) && std::isnan(right[i]));
        const double difference = is_same ? 0 : values[i] - right[i];
        result[i] += std::isnan(difference) ? kInfinity : difference * difference;
      }
    }
  }
  const bool is_real = is_floating(tracked.dtype);
  for (size_t i = 0; i < right.size(); ++i) {
    if (!is_real) {
      result[i] = result[i] > 0 ? kInfinity : 0;  // the same, or up to a decision
      continue;
    }
    result[i] = kScatterFactor * std::sqrt(result[i]);
    if (std::isfinite(right[i])) result[i] += kOwnRoundings * rounding(right[i], tracked.dtype);
  }
  return result;
}

}  // namespace ridge::fuzz

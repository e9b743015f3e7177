#include "ridge/reference/closeness.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ridge::reference {
namespace {

// By how much it is off beyond what is allowed; infinite where the two are no neighbors at all.
double excess(double ours, double expected, double allowed) {
  if (ours == expected || (std::isnan(ours) && std::isnan(expected))) return 0;
  if (std::isinf(allowed)) return 0;
  const double off = std::abs(ours - expected);
  if (std::isnan(off)) return std::numeric_limits<double>::infinity();
  return off <= allowed ? 0 : off - allowed;
}

}  // namespace

double working_epsilon(DType dtype) { return std::max(epsilon(dtype == f64 ? f64 : f32), 1e-15); }

double tolerance(DType dtype, double length, double value, double sway) {
  return epsilon(dtype) * std::abs(value) + (8 + 2 * std::sqrt(length)) * sway;
}

std::optional<Mismatch> worst_mismatch(std::span<const double> ours,
                                       std::span<const double> expected,
                                       std::span<const double> allowed) {
  std::optional<Mismatch> worst;
  double most = 0;
  for (size_t i = 0; i < ours.size(); ++i) {
    const double off = excess(ours[i], expected[i], allowed[i]);
    if (off <= most) continue;
    most = off;
    worst = Mismatch{i, ours[i], expected[i], allowed[i]};
  }
  return worst;
}

}  // namespace ridge::reference

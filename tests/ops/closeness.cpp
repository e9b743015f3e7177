#include "closeness.h"

#include <gtest/gtest.h>

#include <cmath>

#include "cases.h"
#include "ridge/reference/closeness.h"

namespace ridge::testing {
namespace {

double largest_finite(const std::vector<double>& values) {
  double largest = 0;
  for (double value : values) {
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  }
  return largest;
}

}  // namespace

double reduction_length(const std::vector<dispatch::Value>& args) {
  int64_t longest = 1;
  const auto look = [&](const Tensor& t) {
    longest = std::max(longest, t.defined() ? *t.numel().known() : 1);
    return t;
  };
  map_tensors(args, look);
  return static_cast<double>(longest);
}

double tolerance(DType dtype, double length, double largest, double value) {
  const double sway = reference::working_epsilon(dtype) * std::max(1.0, largest);
  return reference::tolerance(dtype, length, value, sway);
}

void expect_close(const Tensor& ours, const Tensor& theirs, double length,
                  const std::string& text) {
  ASSERT_EQ(to_text(ours.shape()), to_text(theirs.shape())) << text;
  ASSERT_EQ(name(ours.dtype()), name(theirs.dtype())) << text;
  const std::vector<double> a = ours.to_vector<double>();
  const std::vector<double> b = theirs.to_vector<double>();
  const double largest = largest_finite(b);
  for (size_t i = 0; i < a.size(); ++i) {
    const bool same_kind = std::isnan(a[i]) == std::isnan(b[i]);
    const bool is_equal = a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i]));
    const double allowed =
        is_floating(ours.dtype()) ? tolerance(ours.dtype(), length, largest, b[i]) : 0;
    EXPECT_TRUE(is_equal || (same_kind && std::abs(a[i] - b[i]) <= allowed))
        << text << " element " << i << ": ours " << a[i] << ", expected " << b[i] << ", allowed "
        << allowed;
  }
}

}  // namespace ridge::testing

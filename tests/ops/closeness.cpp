#include "closeness.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "ridge/reference/closeness.h"
#include "sway.h"

namespace ridge::testing {
namespace {

double largest_finite(const std::vector<double>& values) {
  double largest = 0;
  for (double value : values) {
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  }
  return largest;
}

// The distance of the smallest numbers from each other, below which nothing can be told apart.
double least_of(DType dtype) {
  if (dtype == f64) return 0x1p-1074;
  if (dtype == f16) return 0x1p-24;
  return dtype == bf16 ? 0x1p-133 : 0x1p-149;
}

bool is_same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

bool is_comparable(const Tensor& ours, const Tensor& expected, const std::string& text) {
  EXPECT_EQ(to_text(ours.shape()), to_text(expected.shape())) << text;
  EXPECT_EQ(name(ours.dtype()), name(expected.dtype())) << text;
  return ridge::is_same(ours.shape(), expected.shape()) && ours.dtype() == expected.dtype();
}

// `allowed` is asked for an element that is not equal.
void expect_elements(const Tensor& ours, const Tensor& expected, const std::string& text,
                     const std::function<double(size_t element, double value)>& allowed) {
  if (!is_comparable(ours, expected, text)) return;
  const std::vector<double> a = ours.to_vector<double>(), b = expected.to_vector<double>();
  for (size_t i = 0; i < a.size(); ++i) {
    if (is_same(a[i], b[i])) continue;
    const double most = is_floating(ours.dtype()) ? allowed(i, b[i]) : 0;
    EXPECT_TRUE(std::isinf(most) || std::abs(a[i] - b[i]) <= most)
        << text << " element " << i << ": ours " << a[i] << ", expected " << b[i] << ", allowed "
        << most;
  }
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

void expect_results(const OpCase& c, const dispatch::Tensors& ours,
                    const dispatch::Tensors& expected) {
  ASSERT_EQ(ours.size(), expected.size()) << c.text();
  const double length = reduction_length(c.args);
  Sways sways;  // measured when the first element differs
  for (size_t i = 0; i < ours.size(); ++i) {
    const DType dtype = expected[i].dtype();
    expect_elements(ours[i], expected[i], c.text(), [&](size_t element, double value) {
      if (sways.empty()) sways = sways_of(c);
      const double size = std::isfinite(value) ? value : 0;
      const double sway = reference::working_epsilon(dtype) * std::abs(size) + sways[i][element];
      return least_of(dtype) + reference::tolerance(dtype, length, size, sway);
    });
  }
}

void expect_gradient(const Tensor& ours, const Tensor& expected, const OpCase& c) {
  const double length = reduction_length(c.args);
  const double largest = largest_finite(expected.to_vector<double>());
  expect_elements(ours, expected, c.text(), [&](size_t, double value) {
    const double sway = reference::working_epsilon(expected.dtype()) * std::max(1.0, largest);
    return reference::tolerance(expected.dtype(), length, value, sway);
  });
}

}  // namespace ridge::testing

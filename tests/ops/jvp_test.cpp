// Forward derivatives of every op that has a gradient, against that gradient: u (J v) = (J' u) v.
#include "ridge/aot/jvp.h"

#include <gtest/gtest.h>

#include <cmath>

#include "cases.h"

namespace ridge::testing::jvp_test {
namespace {

using Tensors = std::vector<Tensor>;

bool is_moved(const Tensor& tensor) { return tensor.defined() && is_floating(tensor.dtype()); }

// No two elements alike, and none zero.
Tensor direction(const Tensor& like, double phase) {
  const Tensor position = reshape(arange(like.numel(), f64, kCpu), like.shape());
  return cast(sin(position * 0.7 + phase) + 1.5, like.dtype());
}

// The call as a function of its floating tensors and of the others.
Tensors run(const OpCase& c, const Tensors& inputs, const Tensors& others) {
  size_t input = 0;
  size_t other = 0;
  const auto args = map_tensors(c.args, [&](const Tensor& t) {
    if (!t.defined()) return t;
    return is_moved(t) ? inputs[input++] : others[other++];
  });
  return dispatch::call_values(*c.record->op, dispatch::borrow(args));
}

// The sum over all elements of all tensors, and of its magnitudes.
std::pair<double, double> dot(const Tensors& a, const Tensors& b) {
  std::pair<double, double> sums{0, 0};
  for (size_t i = 0; i < a.size(); ++i) {
    if (!is_moved(a[i]) || !is_moved(b[i])) continue;
    const auto x = a[i].to_vector<double>(), y = b[i].to_vector<double>();
    for (size_t k = 0; k < x.size(); ++k) {
      sums.first += x[k] * y[k];
      sums.second += std::fabs(x[k] * y[k]);
    }
  }
  return sums;
}

void check(const OpCase& c, const Tensors& inputs, const Tensors& others) {
  const auto f = [&](const Tensors& x, const Tensors& rest) { return run(c, x, rest); };
  Tensors v;
  for (size_t i = 0; i < inputs.size(); ++i) {
    v.push_back(direction(inputs[i], static_cast<double>(i) + 1));
  }
  const auto [results, derivative] = jvp(f)(inputs, v, others);
  const auto [again, pullback] = vjp(f)(inputs, others);
  Tensors u;
  for (size_t i = 0; i < results.size(); ++i) {
    EXPECT_EQ(fingerprint(results[i]), fingerprint(again[i])) << c.text();
    const bool has_derivative = is_moved(results[i]);
    ASSERT_EQ(derivative[i].defined(), has_derivative) << c.text();
    if (has_derivative) {
      EXPECT_EQ(describe(derivative[i]), describe(results[i])) << c.text();
    }
    u.push_back(has_derivative ? direction(results[i], 0.3) : Tensor());
  }
  const auto [forward, size] = dot(u, derivative);
  const auto [backward, other_size] = dot(pullback(u), v);
  // Both are sums of the same products.
  EXPECT_NEAR(forward, backward, 1e-12 * (1 + size + other_size)) << c.text();
}

const bool kRegistered = for_each_op("Jvp", [](const ops::OpRecord& record) {
  if (!record.has_gradient()) return;
  const dispatch::IncludeKeys on_the_reference(dispatch::Key::reference);
  size_t checked = 0;
  for (const OpCase& c : cases_of(record, f64)) {
    Tensors inputs, others;
    map_tensors(c.args, [&](const Tensor& t) {
      if (t.defined()) (is_moved(t) ? inputs : others).push_back(t);
      return t;
    });
    // A cast to integers has no derivative to check, and the mean of nothing none that is a number.
    const Tensor result = c.run()[0];
    if (inputs.empty() || !is_floating(result.dtype()) || !all(is_finite(result)).item<bool>()) {
      continue;
    }
    ++checked;
    check(c, inputs, others);
  }
  EXPECT_TRUE(checked > 0 || cases_of(record, f64).empty()) << "no sample to differentiate";
});

}  // namespace
}  // namespace ridge::testing::jvp_test

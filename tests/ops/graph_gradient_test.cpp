// Gradients of graphs, run op by op, against eager autograd, first and second order, for every op that
// has one. compiled_gradient_test.cpp has them compiled.
#include <gtest/gtest.h>

#include <cmath>

#include "cases.h"
#include "ridge/aot/transforms.h"

namespace ridge::testing::graph_gradient_test {
namespace {

using Tensors = std::vector<Tensor>;

bool is_input(const Tensor& tensor) { return tensor.defined() && is_floating(tensor.dtype()); }

// The floating tensors of a call, and the others.
std::pair<Tensors, Tensors> tensors_of(const OpCase& c) {
  std::pair<Tensors, Tensors> tensors;
  map_tensors(c.args, [&](const Tensor& t) {
    if (t.defined()) (is_input(t) ? tensors.first : tensors.second).push_back(t);
    return t;
  });
  return tensors;
}

// One number from all floating results, no two elements weighted alike.
Tensor weighted_sum(const Tensors& results) {
  Tensor total;
  for (const Tensor& result : results) {
    if (!is_input(result)) continue;
    const Tensor position = reshape(arange(result.numel(), f64, kCpu), result.shape());
    const Tensor part = sum(cast(result, f64) * (sin(position * 0.7 + 1) + 1.5));
    total = total.defined() ? total + part : part;
  }
  return total;
}

Tensor run(const OpCase& c, const Tensors& inputs, const Tensors& others) {
  size_t input = 0;
  size_t other = 0;
  const auto args = map_tensors(c.args, [&](const Tensor& t) {
    if (!t.defined()) return t;
    return is_input(t) ? inputs[input++] : others[other++];
  });
  return weighted_sum(dispatch::call_values(*c.record->op, dispatch::borrow(args)));
}

// The sum of squares of a gradient, where there is one: what is differentiated a second time.
Tensor squares(const Tensors& gradients) {
  Tensor total = Tensor::number(0.0);
  for (const Tensor& g : gradients) {
    if (g.defined()) total = total + sum(square(cast(g, f64)));
  }
  return total;
}

Tensors leaves(const Tensors& inputs) {
  Tensors fresh;
  for (const Tensor& input : inputs) {
    fresh.push_back(clone(input));
    set_requires_grad(fresh.back());
  }
  return fresh;
}

Tensors eager(const Tensor& value, const Tensors& inputs, bool create_graph) {
  if (!value.requires_grad()) return Tensors(inputs.size());
  return gradients({value}, inputs, {}, {.create_graph = create_graph, .allow_unused = true});
}

// Both come from the same rules, but for the order in which several contributions are added.
void expect_close(const Tensors& actual, const Tensors& expected, const OpCase& c) {
  ASSERT_EQ(actual.size(), expected.size());
  for (size_t i = 0; i < actual.size(); ++i) {
    const std::vector<double> a = actual[i].to_vector<double>();
    const std::vector<double> e =
        expected[i].defined() ? expected[i].to_vector<double>() : std::vector<double>(a.size());
    if (expected[i].defined()) {
      EXPECT_EQ(describe(actual[i]), describe(expected[i])) << c.text();
    }
    double largest = 1;
    for (const double value : e) largest = std::fmax(largest, std::fabs(value));
    const double allowed = 8 * epsilon(actual[i].dtype()) * largest;
    for (size_t k = 0; k < a.size(); ++k) {
      if (std::isnan(a[k]) && std::isnan(e[k])) continue;
      EXPECT_NEAR(a[k], e[k], allowed) << "input " << i << ", element " << k << " of " << c.text();
    }
  }
}

const bool kRegistered = for_each_gradient("GraphGradient", [](const ops::OpRecord& record) {
  // What is compared is how gradients are put together; other tests compare the backends.
  const dispatch::IncludeKeys on_the_reference(dispatch::Key::reference);
  size_t checked = 0;
  for (const DType dtype : {f64, f32, bf16}) {
    for (const OpCase& c : cases_of(record, dtype)) {
      const auto [inputs, others] = tensors_of(c);
      const Tensor result = c.run()[0];
      if (inputs.empty() || !is_floating(result.dtype()) || !all(is_finite(result)).item<bool>()) {
        continue;
      }
      ++checked;
      const auto f = [&](const Tensors& x, const Tensors& rest) { return run(c, x, rest); };
      const auto second = [&](const Tensors& x, const Tensors& rest) {
        return squares(grad(f)(x, rest));
      };
      const Tensors fresh = leaves(inputs);
      const Tensors first = eager(run(c, fresh, others), fresh, true);
      expect_close(grad(f)(inputs, others), first, c);
      if (dtype == f64)
        expect_close(grad(second)(inputs, others), eager(squares(first), fresh, false), c);
    }
  }
  EXPECT_GT(checked, 0U) << "no sample to differentiate";
});

}  // namespace
}  // namespace ridge::testing::graph_gradient_test

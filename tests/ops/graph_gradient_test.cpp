// Gradients of graphs against eager autograd, first and second order, for every op that has one: run op
// by op, and as compiled programs.
#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "cases.h"
#include "ridge/aot/transforms.h"
#include "ridge/driver/compile.h"

namespace ridge::testing {
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
// `roundings`: how many may come together in one element.
void expect_close(const Tensors& actual, const Tensors& expected, const OpCase& c,
                  double roundings = 8) {
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
    const double allowed = roundings * epsilon(actual[i].dtype()) * largest;
    for (size_t k = 0; k < a.size(); ++k) {
      if (std::isnan(a[k]) && std::isnan(e[k])) continue;
      EXPECT_NEAR(a[k], e[k], allowed) << "input " << i << ", element " << k << " of " << c.text();
    }
  }
}

const bool kRegistered = for_each_op("GraphGradient", [](const ops::OpRecord& record) {
  if (!record.has_gradient()) return;
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
  EXPECT_TRUE(checked > 0 || cases_of(record, f64).empty()) << "no sample to differentiate";
});

// The sample with the most elements: one program for each op is what there is time for.
std::optional<OpCase> largest_case(const ops::OpRecord& record) {
  std::optional<OpCase> largest;
  int64_t most = 0;
  for (const OpCase& c : cases_of(record, f64)) {
    const Tensors inputs = tensors_of(c).first;
    const Tensor result = c.run()[0];
    if (!is_floating(result.dtype()) || !all(is_finite(result)).item<bool>()) continue;
    int64_t elements = 0;
    for (const Tensor& input : inputs) elements += input.numel().value();
    if (elements <= most) continue;
    most = elements;
    largest = c;
  }
  return largest;
}

const bool kCompiledRegistered = for_each_op("CompiledGradient", [](const ops::OpRecord& record) {
  const bool has_rule = record.grad || record.body;  // else its parts have, and are ops too
  if (!record.has_gradient() || !has_rule) return;
  const std::optional<OpCase> c = largest_case(record);
  if (!c) return;
  const auto [inputs, others] = tensors_of(*c);
  const auto f = [&](const Tensors& x, const Tensors& rest) { return run(*c, x, rest); };
  const auto second = [&](const Tensors& x, const Tensors& rest) {
    return squares(grad(f)(x, rest));
  };
  const auto both = compile([&](const Tensors& x, const Tensors& rest) {
    return std::pair(grad(f)(x, rest), grad(second)(x, rest));
  });
  const auto [first, again] = both(inputs, others);
  const dispatch::IncludeKeys on_the_reference(dispatch::Key::reference);
  const Tensors fresh = leaves(inputs);
  const Tensors expected = eager(run(*c, fresh, others), fresh, true);
  // Compiled sums have an order of their own, and functions a last bit.
  expect_close(first, expected, *c, 64);
  expect_close(again, eager(squares(expected), fresh, false), *c, 256);
});

}  // namespace
}  // namespace ridge::testing

// Gradients checked against central differences in f64.
//
//   EXPECT_TRUE(gradcheck([](const Tensors& x) -> Tensors { return {sin(x[0]) * x[1]}; }, {a, b}));
//
// Every element of every floating input is moved a little up and down. The results are weighted
// with fixed odd numbers and summed, so one number stands for all of them and no two errors cancel.
// gradgradcheck does the same for the gradient itself, as a function of the inputs and of the
// gradient that comes in.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "ridge/autograd/autograd.h"
#include "ridge/base/text.h"
#include "ridge/ops/arithmetic.h"
#include "ridge/ops/reduction.h"

namespace ridge::testing {

using Tensors = std::vector<Tensor>;
using Program = std::function<Tensors(const Tensors&)>;

struct GradcheckOptions {
  double step = 1e-6;
  double tolerance = 1e-6;  // absolute, and relative to the numeric gradient
};

namespace gradcheck_detail {

// Odd enough that no two weighted errors cancel, and the same on every run.
inline Tensor weights(const Shape& shape, size_t salt) {
  std::vector<double> values(static_cast<size_t>(numel(shape).value()));
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = 0.5 + std::fmod(0.61803398875 * static_cast<double>(i + 7 * salt + 1), 1.0);
  }
  return Tensor::of<double>(values, shape);
}

inline bool is_checked(const Tensor& x) { return x.defined() && x.dtype() == f64; }

// A fresh leaf with these values, or the input itself where there is nothing to differentiate by.
inline Tensors leaves(const Tensors& inputs) {
  Tensors fresh;
  for (const Tensor& x : inputs) {
    fresh.push_back(is_checked(x) ? Tensor::of<double>(x.to_vector<double>(), x.shape()) : x);
    if (is_checked(x)) set_requires_grad(fresh.back());
  }
  return fresh;
}

// The weighted sum of the floating results; undefined if there are none.
inline Tensor weighted_sum(const Tensors& results) {
  Tensor total;
  for (size_t i = 0; i < results.size(); ++i) {
    if (!results[i].defined() || !is_floating(results[i].dtype())) continue;
    const Tensor part = sum(cast(results[i], f64) * weights(results[i].shape(), i));
    total = total.defined() ? total + part : part;
  }
  return total;
}

inline double value_at(const Program& program, Tensors inputs, size_t input, size_t element,
                       double step) {
  const NoGrad values_only;
  std::vector<double> values = inputs[input].to_vector<double>();
  values[element] += step;
  inputs[input] = Tensor::of<double>(values, inputs[input].shape());
  // In-place programs write to what they are given.
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (i != input && is_checked(inputs[i])) inputs[i] = copy(inputs[i], inputs[i]);
  }
  return weighted_sum(program(inputs)).item<double>();
}

}  // namespace gradcheck_detail

inline ::testing::AssertionResult gradcheck(const Program& program, const Tensors& inputs,
                                            GradcheckOptions options = {}) {
  namespace detail = gradcheck_detail;
  const Tensors leaves = detail::leaves(inputs);
  Tensors checked;
  for (const Tensor& x : leaves) {
    if (detail::is_checked(x)) checked.push_back(x);
  }
  const Tensor total = detail::weighted_sum(program(leaves));
  if (!total.defined()) return ::testing::AssertionFailure() << "no floating result";
  // Where nothing requires grad the gradient is claimed to be zero, which is checked like any other.
  const Tensors grads = total.requires_grad()
                            ? gradients({total}, checked, {}, {.allow_unused = true})
                            : Tensors(checked.size());

  size_t number = 0;  // among the checked inputs
  for (size_t input = 0; input < inputs.size(); ++input) {
    if (!detail::is_checked(inputs[input])) continue;
    const Tensor& grad = grads[number++];
    const auto count = static_cast<size_t>(inputs[input].numel().value());
    const auto analytic =
        grad.defined() ? grad.to_vector<double>() : std::vector<double>(count, 0.0);
    for (size_t i = 0; i < count; ++i) {
      const double above = detail::value_at(program, inputs, input, i, options.step);
      const double below = detail::value_at(program, inputs, input, i, -options.step);
      const double numeric = (above - below) / (2 * options.step);
      // The difference itself is only known up to the rounding of the two values.
      const double rounding = 1e-15 * std::fabs(above) / options.step;
      const double allowed = options.tolerance * (1 + std::fabs(numeric)) + rounding;
      if (!(std::fabs(analytic[i] - numeric) <= allowed)) {
        return ::testing::AssertionFailure()
               << "input " << input << ", element " << i << ": gradient " << analytic[i]
               << ", by differences " << numeric;
      }
    }
  }
  return ::testing::AssertionSuccess();
}

// Second order: the gradient of `program` as a program of its inputs and of what comes in.
inline ::testing::AssertionResult gradgradcheck(const Program& program, const Tensors& inputs,
                                                GradcheckOptions options = {}) {
  namespace detail = gradcheck_detail;
  const Tensors probe = program(detail::leaves(inputs));
  Tensors all = inputs;
  for (size_t i = 0; i < probe.size(); ++i) {
    if (probe[i].requires_grad()) all.push_back(detail::weights(probe[i].shape(), i + 3));
  }
  const Program gradient = [&](const Tensors& x) {
    // The values of differences come in without grad mode; the inner graph is needed all the same.
    const dispatch::GradMode record(true);
    Tensors first(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(inputs.size()));
    Tensors checked;
    for (Tensor& t : first) {
      if (!detail::is_checked(t)) continue;
      if (!t.requires_grad()) set_requires_grad(t);
      checked.push_back(t);
    }
    Tensors outputs;
    for (const Tensor& y : program(first)) {
      if (y.requires_grad()) outputs.push_back(y);
    }
    const Tensors incoming(x.begin() + static_cast<std::ptrdiff_t>(inputs.size()), x.end());
    return gradients(outputs, checked, incoming, {.create_graph = true, .allow_unused = true});
  };
  return gradcheck(gradient, all, options);
}

}  // namespace ridge::testing

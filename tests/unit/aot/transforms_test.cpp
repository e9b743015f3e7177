#include "ridge/aot/transforms.h"

#include <gtest/gtest.h>

#include <cmath>

#include "../capture/compiled.h"
#include "ridge/capture/constant.h"

namespace ridge::testing::transforms_test {
namespace {

struct Layer {
  Tensor weight;
  Tensor bias;
  Tensor index;  // integers: no gradient
  static void visit_tensors(auto& self, auto&& visit) {
    visit("weight", self.weight);
    visit("bias", self.bias);
    visit("index", self.index);
  }
};

Layer make_layer(uint64_t seed) {
  return {random({4, 3}, seed, f64), random({4}, seed + 1, f64), arange(4)};
}

Tensor loss(const Layer& layer, const Tensor& x) {
  const Tensor y = tanh(linear(x, layer.weight, layer.bias));
  return mean(square(index_select(y, 1, layer.index)));
}

// Gradients of f by eager autograd.
template <class F>
std::vector<Tensor> eager_gradients(F f, std::vector<Tensor> inputs) {
  for (Tensor& input : inputs) {
    input = clone(input);
    set_requires_grad(input);
  }
  return gradients({f(inputs)}, inputs, {}, {.allow_unused = true});
}

// Both are computed in f64 by the same rules; sums may be formed in another order.
void expect_close(const Tensor& actual, const Tensor& expected) {
  ASSERT_TRUE(actual.defined());
  ASSERT_EQ(describe(actual), describe(expected));
  const auto a = actual.to_vector<double>();
  const auto e = expected.to_vector<double>();
  for (size_t i = 0; i < a.size(); ++i) {
    EXPECT_NEAR(a[i], e[i], 1e-13 * (1 + std::fabs(e[i]))) << "element " << i;
  }
}

TEST(ValueAndGrad, OfAStructHasItsForm) {
  const Layer layer = make_layer(1);
  const Tensor x = random({5, 3}, 7, f64);
  const auto [value, gradient] = value_and_grad(loss)(layer, x);
  EXPECT_EQ(value.item<double>(), loss(layer, x).item<double>());
  const auto expected = eager_gradients(
      [&](const std::vector<Tensor>& t) { return loss(Layer{t[0], t[1], layer.index}, x); },
      {layer.weight, layer.bias});
  expect_close(gradient.weight, expected[0]);
  expect_close(gradient.bias, expected[1]);
  EXPECT_FALSE(gradient.index.defined());
  EXPECT_FALSE(gradient.weight.requires_grad());
}

TEST(ValueAndGrad, ArgumentsThatRequireGradAreFine) {
  const Tensor x = random({3}, 1);
  set_requires_grad(x);
  const auto [value, gradient] = value_and_grad([](const Tensor& t) { return sum(t * t); })(x);
  EXPECT_EQ(gradient.to_vector<float>(), (detach(x) * 2).to_vector<float>());
  EXPECT_FALSE(value.requires_grad());
}

TEST(ValueAndGrad, OfAPlainNumber) {
  const auto f = grad([](const Tensor& t) { return sin(t) * t; });
  EXPECT_NEAR(f(0.7).item<double>(), std::cos(0.7) * 0.7 + std::sin(0.7), 1e-7);
}

TEST(ValueAndGrad, AuxiliaryResultsAreHandedOn) {
  const auto f = [](const Tensor& t) { return std::pair(sum(exp(t)), std::vector{t * 2, exp(t)}); };
  const Tensor x = random({3}, 1);
  const auto [result, gradient] = value_and_grad(f)(x);
  EXPECT_EQ(result.second[0].to_vector<float>(), (x * 2).to_vector<float>());
  EXPECT_EQ(gradient.to_vector<float>(), exp(x).to_vector<float>());
  const auto [again, rest] = grad(f)(x);
  EXPECT_EQ(again.to_vector<float>(), exp(x).to_vector<float>());
  EXPECT_EQ(rest.size(), 2u);
}

TEST(ValueAndGrad, ZerosWhereTheValueDoesNotDepend) {
  const auto f = grad([](const std::vector<Tensor>& t) {
    return sum(t[0]) + sum(floor(t[1])) + sum(cast(t[2] > 0, f32)) + sum(stop_gradient(t[3]));
  });
  const std::vector<Tensor> x = {random({2}, 1), random({3}, 2), random({2, 2}, 3), random({1}, 4),
                                 random({5}, 5)};
  const std::vector<Tensor> gradient = f(x);
  EXPECT_EQ(gradient[0].to_vector<float>(), std::vector<float>(2, 1));
  for (size_t i = 1; i < x.size(); ++i) {
    EXPECT_EQ(describe(gradient[i]), describe(x[i]));
    for (const float g : gradient[i].to_vector<float>()) EXPECT_EQ(g, 0);
  }
}

TEST(ValueAndGrad, ReturnsItsArgument) {
  const auto [value, gradient] =
      value_and_grad([](const Tensor& t) { return t; })(Tensor::of<float>({3}, {}));
  EXPECT_EQ(value.item<float>(), 3);
  EXPECT_EQ(gradient.item<float>(), 1);
}

TEST(ValueAndGrad, WritesOnTheWay) {
  // The gradient is by the value before the write, and the caller's state is written.
  const auto f = [](const Tensor& x, const Tensor& count, Layer& layer) {
    Tensor y = x * 1;
    slice(y, 0, 1, 3) *= slice(x, 0, 0, 2);
    slice(y, 0, 0, 1) += sum(square(x));
    count += 1;
    layer.bias = y * 2;
    return sum(y * y);
  };
  const Tensor x = random({3, 3}, 3, f64);
  const Tensor count = zeros({});
  Layer layer;
  const auto [value, gradient] = value_and_grad(f)(x, count, layer);
  Layer eager_layer;
  const Tensor eager_count = zeros({});
  const auto expected = eager_gradients(
      [&](const std::vector<Tensor>& t) { return f(t[0], eager_count, eager_layer); }, {x});
  expect_close(gradient, expected[0]);
  EXPECT_EQ(count.item<float>(), 1);
  expect_close(layer.bias, detach(eager_layer.bias));
}

TEST(ValueAndGrad, Nests) {
  const auto cube = [](const Tensor& x) { return sum(x * x * x * exp(x)); };
  const auto second = grad([&](const Tensor& x) { return sum(grad(cube)(x)); });
  const auto third = grad([&](const Tensor& x) { return sum(second(x)); });
  const Tensor x = random({4}, 5, f64);
  // d^n/dx^n of x^3 e^x
  expect_close(grad(cube)(x), (x * x * x + 3 * x * x) * exp(x));
  const Tensor expected2 = (x * x * x + 6 * x * x + 6 * x) * exp(x);
  const Tensor expected3 = (x * x * x + 9 * x * x + 18 * x + 6) * exp(x);
  const auto near = [](const Tensor& a, const Tensor& b) {
    for (size_t i = 0; i < 4; ++i) {
      const double expected = b.to_vector<double>()[i];
      EXPECT_NEAR(a.to_vector<double>()[i], expected, 1e-12 * (1 + std::fabs(expected)));
    }
  };
  near(second(x), expected2);
  near(third(x), expected3);
}

TEST(ValueAndGrad, ATensorOfTheOuterFunctionIsSeenInTheInnerOne) {
  // f(a) = sum_i d/db (a_i b^2 sum(a)) at b = 3:  6 * sum(a)^2, so its gradient is 12 * sum(a).
  const auto f = grad([](const Tensor& a) {
    const auto inner = grad([&](const Tensor& b) { return sum(a * b * b * sum(a)); });
    return inner(Tensor::number(3.0));
  });
  const Tensor a = random({3}, 2, f64);
  const double expected = 12 * sum(a).item<double>();
  for (const double g : f(a).to_vector<double>()) EXPECT_NEAR(g, expected, 1e-12);
}

TEST(ValueAndGrad, InsideACapture) {
  Compiled step([](Layer& layer, const Tensor& x, const Tensor& rate, const Tensor& seen) {
    const Tensor scaled = x * 2;
    const auto [value, gradient] = value_and_grad([&](const Layer& l, const Tensor& given) {
      seen += 1;  // a tensor of the outer function, written inside
      return loss(l, given + scaled);
    })(layer, x);
    layer.weight -= rate * gradient.weight;
    layer.bias = layer.bias - rate * gradient.bias;
    return value;
  });
  Layer layer = make_layer(1);
  Layer expected{clone(layer.weight), clone(layer.bias), layer.index};
  const Tensor seen = zeros({}, f64);
  double last = 1e9;
  for (uint64_t i = 0; i < 3; ++i) {
    const Tensor x = random({5, 3}, 7, f64);
    const auto grads = eager_gradients(
        [&](const std::vector<Tensor>& t) {
          return loss(Layer{t[0], t[1], layer.index}, x + x * 2);
        },
        {expected.weight, expected.bias});
    expected.weight = expected.weight - 0.1 * grads[0];
    expected.bias = expected.bias - 0.1 * grads[1];
    const double value = step(layer, x, 0.1, seen).item<double>();
    expect_close(layer.weight, expected.weight);
    expect_close(layer.bias, expected.bias);
    EXPECT_LT(value, last);
    last = value;
  }
  EXPECT_EQ(step.count(), 1u);
  EXPECT_EQ(seen.item<double>(), 3);
}

TEST(ValueAndGrad, RandomNumbersAreThoseOfTheForwardPass) {
  const auto f = [](const Tensor& x, Generator& generator) {
    return sum(dropout(x, 0.5, generator) * x);
  };
  Generator generator(3);
  Generator same(3);
  const Tensor x = random({50}, 1);
  const auto [value, gradient] = value_and_grad(f)(x, generator);
  const Tensor kept = dropout(x, 0.5, same);
  EXPECT_EQ(gradient.to_vector<float>(), (kept * 2).to_vector<float>());
  EXPECT_EQ(generator.state.to_vector<int64_t>(), same.state.to_vector<int64_t>());
}

TEST(ValueAndGrad, UnderAutocast) {
  const Tensor x = random({4, 8}, 1);
  const Tensor w = random({8, 2}, 2);
  const auto f = [&](const Tensor& weight, const Tensor& input) {
    return mean(square(matmul(input, weight)));
  };
  const AutocastScope lowered(bf16);
  const Tensor gradient = grad(f)(w, x);
  EXPECT_EQ(gradient.dtype(), f32);
  const Tensor leaf = clone(w);
  set_requires_grad(leaf);
  const Tensor value = f(leaf, x);
  const dispatch::ExcludeKeys off(dispatch::Key::autocast);
  const Tensor expected = gradients({value}, {leaf})[0];
  EXPECT_EQ(gradient.to_vector<float>(), expected.to_vector<float>());
}

TEST(ValueAndGrad, ACustomGradientIsUsed) {
  const auto clipped = custom_vjp(
      [](const std::vector<Tensor>& x) -> std::vector<Tensor> { return {x[0], x[0] * x[1]}; },
      [](const CustomCall& call, const std::vector<Tensor>& g) -> std::vector<Tensor> {
        return {clamp(g[0], -1, 1) + g[1] * 7, call.inputs[0] * g[1]};
      });
  const auto f = [&](const Tensor& x, const Tensor& y) {
    const std::vector<Tensor> results = clipped({x, y});
    return sum(results[0] * 3) + sum(results[1]);
  };
  const Tensor x = random({3}, 1);
  const Tensor y = random({3}, 2);
  const auto [value, gradient] = value_and_grad(f)(x, y);
  EXPECT_EQ(value.to_vector<float>(), f(x, y).to_vector<float>());
  EXPECT_EQ(gradient.to_vector<float>(), std::vector<float>(3, 8));
  // And in the gradient of its gradient, its own parts are.
  const Tensor second = grad([&](const Tensor& b, const Tensor& a) {
    return sum(grad([&](const Tensor& inner) { return f(a, inner); })(b) * b);
  })(y, x);
  EXPECT_EQ(second.to_vector<float>(), x.to_vector<float>());
}

TEST(Vjp, PullsBackMoreThanOnce) {
  const auto f = [](const Tensor& x) { return std::pair(exp(x), std::vector{x * x, x > 0, x}); };
  const Tensor x = random({4}, 1, f64);
  const auto [result, pullback] = vjp(f)(x);
  expect_close(result.first, exp(x));
  EXPECT_TRUE(result.second[2].is_same(x));
  const Tensor u = random({4}, 2, f64);
  const Tensor v = random({4}, 3, f64);
  expect_close(pullback({u, {v, Tensor(), Tensor()}}), u * exp(x) + v * 2 * x);
  expect_close(pullback({Tensor(), {Tensor(), Tensor(), v}}), v);
}

TEST(Vjp, InsideACapture) {
  Compiled f([](const Tensor& x, const Tensor& u) {
    const auto [y, pullback] = vjp([](const Tensor& t) { return tanh(t); })(x);
    return std::pair(y, pullback(u) + pullback(y));
  });
  const Tensor x = random({4}, 1, f64);
  const Tensor u = random({4}, 2, f64);
  const auto [y, sums] = f(x, u);
  expect_close(y, tanh(x));
  expect_close(sums, (1 - square(tanh(x))) * u + (1 - square(tanh(x))) * tanh(x));
}

}  // namespace
}  // namespace ridge::testing::transforms_test

#include "ridge/aot/jvp.h"

#include <gtest/gtest.h>

#include <cmath>

#include "../capture/compiled.h"
#include "ridge/aot/push_forward.h"
#include "ridge/graph/passes/passes.h"

namespace ridge::testing::jvp_test {
namespace {

struct Point {
  Tensor x;
  Tensor index;  // integers: no direction
  Tensor y;
  static void visit_tensors(auto& self, auto&& visit) {
    visit("x", self.x);
    visit("index", self.index);
    visit("y", self.y);
  }
};

void expect_near(const Tensor& actual, const Tensor& expected) {
  ASSERT_TRUE(actual.defined());
  ASSERT_EQ(describe(actual), describe(expected));
  const auto a = actual.to_vector<double>(), e = expected.to_vector<double>();
  for (size_t i = 0; i < a.size(); ++i) {
    EXPECT_NEAR(a[i], e[i], 1e-12 * (1 + std::fabs(e[i]))) << "element " << i;
  }
}

using Tensors = std::vector<Tensor>;

TEST(Jvp, OfAStructAndWithAStruct) {
  const Point p{random({3}, 1, f64), arange(3), random({3}, 2, f64)};
  const Point v{random({3}, 3, f64), Tensor(), Tensor()};
  const auto f = [](const Point& at, const Tensor& scale) {
    return Point{sin(at.x) * at.y * scale, at.index, at.y};
  };
  const Tensor scale = random({3}, 4, f64);
  const auto [value, derivative] = jvp(f)(p, v, scale);
  expect_near(value.x, sin(p.x) * p.y * scale);
  expect_near(derivative.x, cos(p.x) * v.x * p.y * scale);
  EXPECT_FALSE(derivative.index.defined());
  expect_near(derivative.y, zeros({3}, f64));
}

TEST(Jvp, OfAPlainNumber) {
  const auto [value, derivative] =
      jvp([](const Tensor& t) { return sin(t) * t; })(0.7, Tensor::number(2.0));
  EXPECT_NEAR(value.item<double>(), std::sin(0.7) * 0.7, 1e-7);
  EXPECT_NEAR(derivative.item<double>(), 2 * (std::cos(0.7) * 0.7 + std::sin(0.7)), 1e-6);
}

TEST(Jvp, LeavesNothingOfTheGradientsItIsFoundBy) {
  const Tensor x = random({4, 3}, 1), w = random({3, 2}, 2);
  const auto f = [](const Tensor& t, const Tensor& weight) {
    return sum(tanh(matmul(t, weight)), {1});
  };
  const graph::Graph graph = aot::push_forward(capture::capture(f, {}, x, w).graph, {0}, {0});
  EXPECT_NO_THROW(verify(graph));
  // matmul, tanh and sum, the product of the tangent, 1 - y * y times it, and their sum.
  EXPECT_EQ(eliminate_dead_code(graph, {}).nodes.size(), graph.nodes.size());
  size_t products = 0;
  for (const graph::Node& node : graph.nodes) {
    products += node.op->name() == "batched_matmul";  // matches: what the test is about
  }
  EXPECT_EQ(products, 2u) << to_text(graph);
}

TEST(Jvp, WritesOnTheWay) {
  const auto f = [](const Tensor& x, const Tensor& count) {
    Tensor y = x * 1;
    slice(y, 0, 1, 3) *= slice(x, 0, 0, 2);
    count += 1;
    return y;
  };
  const Tensor x = random({3}, 1, f64), v = random({3}, 2, f64), count = zeros({});
  const auto [value, derivative] = jvp(f)(x, v, count);
  const auto at = [](const Tensor& t, int64_t i) { return slice(t, 0, i, i + 1); };
  expect_near(derivative, cat({at(v, 0), at(v, 1) * at(x, 0) + at(x, 1) * at(v, 0),
                               at(v, 2) * at(x, 1) + at(x, 2) * at(v, 1)}));
  EXPECT_EQ(count.item<float>(), 1);
}

TEST(Jvp, NestsWithItselfAndWithGradients) {
  const auto f = [](const Tensor& x) { return x * x * x * exp(x); };
  const Tensor x = random({4}, 5, f64);
  const auto ones = ones_like(x);
  const auto once = [&](const Tensor& t) { return jvp(f)(t, ones_like(t)).second; };
  const Tensor second = (x * x * x + 6 * x * x + 6 * x) * exp(x);
  expect_near(jvp(once)(x, ones).second, second);
  expect_near(grad([&](const Tensor& t) { return sum(once(t)); })(x), second);
  expect_near(jvp(grad([&](const Tensor& t) { return sum(f(t)); }))(x, ones).second, second);
  const auto [value, pullback] = vjp(once)(x);
  expect_near(pullback(ones), second);
}

TEST(Jvp, OfControlFlow) {
  const Tensor x = random({3}, 1, f64), v = random({3}, 2, f64);
  const Tensor xs = random({4, 3}, 3, f64), vs = random({4, 3}, 4, f64);
  const auto branch = [](const Tensor& t) {
    return cond(
        sum(t) > 100, [](const Tensor& a) { return a * a; },
        [](const Tensor& a) { return sin(a) * a; }, t);
  };
  expect_near(jvp(branch)(x, v).second, (cos(x) * x + sin(x)) * v);

  // h' = h * x_t, with a count of steps beside it that has no derivative.
  const auto product = [&](const Tensors& given) {
    const auto [last, ys] = scan(
        [](const Tensors& carry, const Tensor& t) {
          return std::pair(Tensors{carry[0] + 1, carry[1] * t}, carry[1] + t);
        },
        Tensors{cast(sum(given[0]) * 0, i64), given[0]}, given[1], {.reverse = true});
    return Tensors{last[0], last[1], ys};
  };
  const auto unrolled = [&](const Tensors& given) {
    Tensor h = given[0];
    Tensors ys(4);
    for (int64_t i = 3; i >= 0; --i) {
      const Tensor t = select(given[1], 0, i);
      ys[static_cast<size_t>(i)] = h + t;
      h = h * t;
    }
    return Tensors{h, stack(ys)};
  };
  const auto [values, derivative] = jvp(product)(Tensors{x, xs}, Tensors{v, vs});
  const auto [expected, expected_derivative] = jvp(unrolled)(Tensors{x, xs}, Tensors{v, vs});
  EXPECT_EQ(values[0].item<int64_t>(), 4);
  EXPECT_FALSE(derivative[0].defined());
  for (size_t i = 0; i < 2; ++i) {
    expect_near(values[i + 1], expected[i]);
    expect_near(derivative[i + 1], expected_derivative[i]);
  }

  // Newton's root of a: x = sqrt(a), of a loop without a bound.
  const auto root = [](const Tensor& a) {
    return while_loop([&](const Tensor& t) { return abs(t * t - a) > 1e-13; },
                      [&](const Tensor& t) { return (t + a / t) / 2; }, a);
  };
  const Tensor two = Tensor::of<double>({2}, {});
  const auto [at, slope] = jvp(root)(two, ones({}, f64));
  EXPECT_NEAR(at.item<double>(), std::sqrt(2), 1e-12);
  EXPECT_NEAR(slope.item<double>(), 0.5 / std::sqrt(2), 1e-6);
}

TEST(Jvp, InsideCompiledPrograms) {
  const auto f = [](const Tensor& x, const Tensor& w) { return tanh(matmul(x, w)); };
  const auto step = compile([&](const Tensor& x, const Tensor& w, const Tensor& v) {
    const auto [value, derivative] = jvp(f)(x, v, w);
    return std::pair(value, derivative);
  });
  const Tensor x = random({4, 3}, 1, f64), w = random({3, 2}, 2, f64), v = random({4, 3}, 3, f64);
  const auto [value, derivative] = step(x, w, v);
  expect_near(value, tanh(matmul(x, w)));
  expect_near(derivative, (1 - square(tanh(matmul(x, w)))) * matmul(v, w));
}

TEST(HessianVectorProduct, IsTheDerivativeOfTheGradient) {
  const auto loss = [](const Tensor& x, const Tensor& w) {
    return sum(exp(matmul(w, x)) * 0.1) + sum(x * x * x);
  };
  const Tensor x = random({3}, 1, f64), w = random({5, 3}, 2, f64), v = random({3}, 3, f64);
  const Tensor curved = exp(matmul(w, x)) * 0.1;
  const Tensor expected = matmul(transpose(w, 0, 1), curved * matmul(w, v)) + 6 * x * v;
  expect_near(hessian_vector_product(loss)(x, v, w), expected);
  const auto compiled = compile([&](const Tensor& at, const Tensor& along, const Tensor& weight) {
    return hessian_vector_product(loss)(at, along, weight);
  });
  expect_near(compiled(x, v, w), expected);
  const auto with_more = [&](const Tensor& at, const Tensor& weight) {
    return std::pair(loss(at, weight), at);
  };
  expect_near(hessian_vector_product(with_more)(x, v, w), expected);
}

ErrorCode code_of(const std::function<void()>& call, uint32_t line) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.where()->line(), line) << error.what();
    return error.code();
  }
  return ErrorCode::internal;
}

TEST(JvpErrors, AreLocated) {
  const Tensor x = random({3}, 1), v = random({4}, 2);
  const auto f = jvp([](const Tensor& t) { return exp(t); });
  const uint32_t line = Location::current().line() - 1;
  EXPECT_EQ(code_of([&] { f(x, v); }, line), ErrorCode::shape);
  EXPECT_EQ(code_of([&] { f(x, cast(x, f64)); }, line), ErrorCode::dtype);
  const auto clipped =
      custom_vjp([](const std::vector<Tensor>& t) -> std::vector<Tensor> { return {t[0] * 2}; },
                 [](const CustomCall&, const std::vector<Tensor>& g) -> std::vector<Tensor> {
                   return {clamp(g[0], -1, 1)};
                 });
  const auto g = jvp([&](const Tensor& t) { return clipped({t})[0]; });
  try {
    g(x, x);
    FAIL() << "a gradient that is no linear map has no forward derivative";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::gradient);
    EXPECT_NE(std::string(error.what()).find("linear"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace ridge::testing::jvp_test

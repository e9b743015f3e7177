// Gradients of many ops against differences, first and second order. (tests/ops does the first
// order for every op there is, from its record.)
#include <gtest/gtest.h>

#include "../../gradcheck.h"
#include "ridge/ridge.h"

namespace ridge::testing::second_order_test {
namespace {

Tensor values(const Shape& shape, double low, double high) {
  std::vector<double> list(static_cast<size_t>(numel(shape).value()));
  for (size_t i = 0; i < list.size(); ++i) {
    list[i] = low + (high - low) * std::fmod(0.754877666 * static_cast<double>(i + 1), 1.0);
  }
  return Tensor::of<double>(list, shape);
}

void check(const char* what, const Program& program, const Tensors& inputs) {
  SCOPED_TRACE(what);
  EXPECT_TRUE(gradcheck(program, inputs));
  EXPECT_TRUE(gradgradcheck(program, inputs));
}

TEST(SecondOrder, OfElementwiseOps) {
  const Tensors real = {values({3, 2}, -2, 2)};
  const Tensors positive = {values({3, 2}, 0.5, 3)};
  check("exp", [](const Tensors& x) -> Tensors { return {exp(x[0])}; }, real);
  check("log", [](const Tensors& x) -> Tensors { return {log(x[0])}; }, positive);
  check("sqrt", [](const Tensors& x) -> Tensors { return {sqrt(x[0])}; }, positive);
  check("rsqrt", [](const Tensors& x) -> Tensors { return {rsqrt(x[0])}; }, positive);
  check("sin", [](const Tensors& x) -> Tensors { return {sin(x[0])}; }, real);
  check("tanh", [](const Tensors& x) -> Tensors { return {tanh(x[0])}; }, real);
  check("erf", [](const Tensors& x) -> Tensors { return {erf(x[0])}; }, real);
  check("sigmoid", [](const Tensors& x) -> Tensors { return {sigmoid(x[0])}; }, real);
  check("gelu", [](const Tensors& x) -> Tensors { return {gelu(x[0])}; }, real);
  check("silu", [](const Tensors& x) -> Tensors { return {silu(x[0])}; }, real);
}

TEST(SecondOrder, OfBinaryOpsThatBroadcast) {
  const Tensors inputs = {values({3, 2}, 0.5, 2), values({2}, 1, 3)};
  check("mul", [](const Tensors& x) -> Tensors { return {x[0] * x[1]}; }, inputs);
  check("div", [](const Tensors& x) -> Tensors { return {x[0] / x[1]}; }, inputs);
  check("pow", [](const Tensors& x) -> Tensors { return {pow(x[0], x[1])}; }, inputs);
  check(
      "maximum", [](const Tensors& x) -> Tensors { return {maximum(x[0] * x[0], x[1])}; }, inputs);
  check(
      "where", [](const Tensors& x) -> Tensors { return {where(x[0] > 1, x[0] * x[0], x[1])}; },
      inputs);
  check(
      "number", [](const Tensors& x) -> Tensors { return {pow(x[0], 2.3) * 0.1 / x[1]}; }, inputs);
}

TEST(SecondOrder, OfProductsAndReductions) {
  const Tensors matrices = {values({2, 3}, -1, 1), values({3, 4}, -1, 1)};
  check("matmul", [](const Tensors& x) -> Tensors { return {matmul(x[0], x[1])}; }, matrices);
  check("softmax", [](const Tensors& x) -> Tensors { return {softmax(x[0], 1)}; }, matrices);
  check(
      "layer_norm", [](const Tensors& x) -> Tensors { return {layer_norm(x[0], {}, {}, 1e-3, 1)}; },
      matrices);
  check(
      "mean of squares",
      [](const Tensors& x) -> Tensors { return {mean(square(x[0]), {0}), sum(x[1])}; }, matrices);
  check("max", [](const Tensors& x) -> Tensors { return {max(x[0] * x[0], {1})}; }, matrices);
  check("prod", [](const Tensors& x) -> Tensors { return {prod(x[0], {1})}; }, matrices);
}

TEST(SecondOrder, OfViewsAndIndices) {
  const Tensors inputs = {values({3, 4}, -1, 1)};
  const Tensor index = Tensor::of<int64_t>({2, 0, 2}, {3});
  check(
      "views",
      [](const Tensors& x) -> Tensors {
        const Tensor y = x[0] * x[0];
        return {reshape(permute(y, {1, 0}), {6, 2}), slice(y, 1, 1, 4, 2),
                expand(select(y, 0, 1), {2, 4})};
      },
      inputs);
  check(
      "index_select",
      [&](const Tensors& x) -> Tensors { return {index_select(x[0] * x[0], 0, index)}; }, inputs);
  check("cat", [](const Tensors& x) -> Tensors { return {cat({x[0], x[0] * x[0]}, 1)}; }, inputs);
}

TEST(SecondOrder, OfASumOfGradients) {
  // The gradient penalty: a loss of a gradient, differentiated by the parameters.
  const Tensors inputs = {values({3}, -1, 1), values({3}, 0.5, 1)};
  const Program penalty = [](const Tensors& in) -> Tensors {
    const dispatch::GradMode record(true);
    const Tensor x = in[0];
    if (!x.requires_grad()) set_requires_grad(x);
    const Tensor y = sum(tanh(x * in[1]));
    const Tensor g = gradients({y}, {x}, {}, {.create_graph = true})[0];
    return {square(sqrt(sum(g * g)) - 1)};
  };
  EXPECT_TRUE(gradcheck(penalty, inputs));
}

TEST(Gradcheck, NoticesAWrongGradient) {
  const auto detached = [](const Tensors& x) -> Tensors { return {x[0] * detach(x[0])}; };
  EXPECT_FALSE(gradcheck(detached, {values({2}, 1, 2)}));
  EXPECT_FALSE(
      gradcheck([](const Tensors& x) -> Tensors { return {detach(x[0])}; }, {values({2}, 1, 2)}));
}

}  // namespace
}  // namespace ridge::testing::second_order_test

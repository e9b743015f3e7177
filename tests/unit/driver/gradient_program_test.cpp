#include "ridge/driver/gradient_program.h"

#include <gtest/gtest.h>

#include <cmath>

#include "../../gradcheck.h"
#include "ridge/base/random.h"
#include "ridge/driver/entry.h"
#include "ridge/ridge.h"

namespace ridge::driver::gradient_program_test {
namespace {

Tensor drawn_values(const Shape& shape, uint64_t seed, DType dtype = f64) {
  SplitMix64 random(seed);
  std::vector<double> values(static_cast<size_t>(numel(shape).value()));
  for (double& value : values) value = static_cast<double>(random.next() % 2001) / 1000 - 1;
  return cast(Tensor::of<double>(values, shape), dtype);
}

Tensor leaf(const Shape& shape, uint64_t seed) {
  Tensor tensor = drawn_values(shape, seed);
  set_requires_grad(tensor);
  return tensor;
}

void expect_near(const Tensor& actual, const Tensor& expected) {
  ASSERT_EQ(describe(actual), describe(expected));
  const auto a = actual.to_vector<double>(), e = expected.to_vector<double>();
  for (size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], e[i], 1e-13 * (1 + std::fabs(e[i])));
}

Tensor model(const Tensor& weight, const Tensor& bias, const Tensor& x) {
  return mean(square(tanh(sigmoid(linear(x, weight, bias)) * 2.0)));
}

TEST(GradientProgram, GivesTheGradientsOfEagerCalls) {
  const auto compiled = compile(model);
  const Tensor weight = leaf({4, 3}, 1), bias = leaf({4}, 2), x = drawn_values({5, 3}, 3);
  const Tensor loss = compiled(weight, bias, x);
  EXPECT_TRUE(loss.requires_grad());
  const auto got = gradients({loss}, {weight, bias});
  const auto expected = gradients({model(weight, bias, x)}, {weight, bias});
  expect_near(got[0], expected[0]);
  expect_near(got[1], expected[1]);
  EXPECT_EQ(compiled.programs().size(), 1u);
}

TEST(GradientProgram, PassesGradcheckOfBothOrders) {
  const auto compiled = compile([](const Tensor& a, const Tensor& b) {
    return std::pair(softmax(matmul(tanh(a), b), -1), exp(a) * 0.5);
  });
  const testing::Program program = [&](const testing::Tensors& x) -> testing::Tensors {
    auto [first, second] = compiled(x[0], x[1]);
    return {first, second};
  };
  const testing::Tensors inputs{drawn_values({3, 4}, 4), drawn_values({4, 2}, 5)};
  EXPECT_TRUE(testing::gradcheck(program, inputs));
  EXPECT_TRUE(testing::gradgradcheck(program, inputs));
}

TEST(GradientProgram, ResultsThatNeedNoneHaveNoHistory) {
  const auto compiled = compile(
      [](const Tensor& a, const Tensor& b) { return std::tuple(a * b, b + 1.0, argmax(a, 0)); });
  const Tensor a = leaf({3}, 6), b = drawn_values({3}, 7);
  const auto [both, other, position] = compiled(a, b);
  EXPECT_TRUE(both.requires_grad());
  EXPECT_FALSE(other.requires_grad());
  EXPECT_FALSE(position.requires_grad());
  const dispatch::GradMode values_only(false);
  EXPECT_FALSE(std::get<0>(compiled(a, b)).requires_grad());
}

TEST(GradientProgram, ViewsOfResultsHaveAHistory) {
  const auto compiled = compile([](const Tensor& a) {
    const Tensor y = exp(a);
    return std::pair(y, transpose(y, 0, 1));
  });
  const Tensor a = leaf({2, 3}, 8);
  const auto [y, turned] = compiled(a);
  const Tensor scale = drawn_values({3, 2}, 9);
  const auto got = gradients({sum(turned * scale)}, {a});
  expect_near(got[0], exp(a) * transpose(scale, 0, 1));
}

TEST(GradientProgram, AWriteToWhatWasSavedIsFound) {
  const auto compiled = compile([](const Tensor& a, const Tensor& b) { return sum(a * b); });
  const Tensor a = leaf({3}, 10);
  Tensor b = drawn_values({3}, 11);
  const Tensor loss = compiled(a, b);
  b += 1.0;
  try {
    gradients({loss}, {a});
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::gradient);
    const std::string text = error.what();
    EXPECT_NE(text.find("written to since"), std::string::npos) << text;
    EXPECT_NE(text.find("arg1"), std::string::npos) << text;
    EXPECT_NE(text.find("gradient_program_test.cpp"), std::string::npos) << text;
  }
}

TEST(GradientProgram, RandomMasksAreTheSameInBothHalves) {
  const auto compiled = compile(
      [](const Tensor& a, Generator& generator) { return dropout(exp(a), 0.5, generator); });
  const Tensor a = leaf({64}, 12);
  Generator generator(3);
  const Tensor y = compiled(a, generator);
  const auto got = gradients({sum(y)}, {a});
  expect_near(got[0], y);  // the gradient of exp is exp, scaled and masked alike
}

// LLVM makes one call of both.
TEST(GradientProgram, AFunctionMayTakeDerivativesItself) {
  const auto penalized = [](const Tensor& x) {
    const auto [value, gradient] = value_and_grad([](const Tensor& t) { return sum(exp(t)); })(x);
    return value + sum(square(gradient));
  };
  Tensor x = Tensor::of<double>({0.5, -1.25, 2}, {3});
  set_requires_grad(x);
  const auto slopes = gradients({compile(penalized)(x)}, {x})[0].to_vector<double>();
  const auto values = x.to_vector<double>();
  for (size_t i = 0; i < values.size(); ++i) {
    EXPECT_NEAR(slopes[i], std::exp(values[i]) + 2 * std::exp(2 * values[i]), 1e-12) << i;
  }
}

TEST(GradientProgram, ASineAndItsGradientShareAKernel) {
  const auto step = compile(
      [](const Tensor& x) { return value_and_grad([](const Tensor& t) { return sin(t); })(x); });
  const auto [value, gradient] = step(Tensor::of<double>({0.75}, {}));
  EXPECT_NEAR(value.item<double>(), std::sin(0.75), 1e-15);
  EXPECT_NEAR(gradient.item<double>(), std::cos(0.75), 1e-15);
}

#if RIDGE_HAS_LLVM

int64_t bytes_after(const std::string& text, const std::string& words) {
  const size_t at = text.find(words);
  EXPECT_NE(at, std::string::npos) << text;
  return at == std::string::npos ? 0 : std::stoll(text.substr(at + words.size()));
}

Tensor deep(const Tensor& weight, const Tensor& x) {
  Tensor y = x;
  for (int i = 0; i < 4; ++i) y = tanh(matmul(sigmoid(y), weight));
  return mean(square(y));
}

TEST(GradientProgram, MeetsItsBudgetAndSaysTheSmallest) {
  const Tensor weight = leaf({16, 16}, 13), x = drawn_values({256, 16}, 14);
  int64_t least = 0;
  try {
    compile(deep, {.memory_budget = 1})(weight, x);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::memory);
    least = bytes_after(error.expected(), "at least ");
  }
  ASSERT_GT(least, 0);
  const auto free = compile(deep), tight = compile(deep, {.memory_budget = least});
  const auto expected = gradients({free(weight, x)}, {weight});
  const auto got = gradients({tight(weight, x)}, {weight});
  expect_near(got[0], expected[0]);
  const auto& entry = *tight.programs().back();
  const recompute::MemoryPoint& point = entry.gradients->recomputed()->point;
  EXPECT_LE(point.peak_bytes, least);
  EXPECT_LE(recompute::peak_bytes(entry.compiled->plan()), least);
  EXPECT_LT(point.peak_bytes, free.programs().back()->gradients->recomputed()->point.peak_bytes);
  EXPECT_GT(point.recomputed, 0u);
}

TEST(GradientProgram, MeetsTheSmallestBudgetOfArgumentsThatLieAnyhow) {
  const Tensor weight = leaf({16, 16}, 15), x = transpose(drawn_values({16, 256}, 16), 0, 1);
  int64_t least = 0;
  try {
    compile(deep, {.memory_budget = 1})(weight, x);
  } catch (const Error& error) {
    least = bytes_after(error.expected(), "at least ");
  }
  ASSERT_GT(least, 0);
  const auto free = compile(deep), tight = compile(deep, {.memory_budget = least});
  const auto expected = gradients({free(weight, x)}, {weight});
  expect_near(gradients({tight(weight, x)}, {weight})[0], expected[0]);
}

#endif

}  // namespace
}  // namespace ridge::driver::gradient_program_test

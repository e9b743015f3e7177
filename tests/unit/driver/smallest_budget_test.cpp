#include "ridge/driver/smallest_budget.h"

#include <gtest/gtest.h>

#include "ridge/base/random.h"
#include "ridge/ridge.h"

namespace ridge::smallest_budget_test {
namespace {

Tensor drawn(const Shape& shape, uint64_t seed) {
  SplitMix64 random(seed);
  std::vector<float> values(static_cast<size_t>(numel(shape).value()));
  for (float& value : values) value = static_cast<float>(random.uniform(-1, 1));
  return Tensor::of<float>(values, shape);
}

// Layers of one weight, with more inside than between them.
Tensor loss_of(const Tensor& weight, const Tensor& x) {
  Tensor y = x;
  for (int layer = 0; layer < 3; ++layer) {
    const Tensor inside = tanh(matmul(sigmoid(y), weight));
    y = y + softmax(matmul(inside, transpose(weight, 0, 1)), -1);
  }
  return mean(square(y));
}

auto step_within(int64_t budget) {
  return compile(
      [](const Tensor& weight, const Tensor& x) { return value_and_grad(loss_of)(weight, x); },
      {.name = "step", .memory_budget = budget});
}

ErrorCode code_of(const std::function<void()>& mistake) {
  try {
    mistake();
  } catch (const Error& error) {
    return error.code();
  }
  ADD_FAILURE() << "no error";
  return ErrorCode::internal;
}

TEST(SmallestBudget, IsMetAndNoneBelowItIs) {
  const Tensor weight = drawn({16, 128}, 1), x = drawn({64, 16}, 2);
  const auto usual = step_within(0);
  const auto expected = usual(weight, x).second.to_vector<float>();
  if (usual.programs().back()->compiled->program() == nullptr) GTEST_SKIP() << "no kernels";
  const int64_t least = smallest_memory_budget(usual);
  EXPECT_LT(least, usual.programs().back()->compiled->recomputed()->point.peak_bytes);
  const auto tight = step_within(least);
  const auto actual = tight(weight, x).second.to_vector<float>();
  EXPECT_EQ(smallest_memory_budget(tight), least);
  for (size_t i = 0; i < actual.size(); ++i) EXPECT_NEAR(actual[i], expected[i], 1e-6);
  EXPECT_EQ(code_of([&] { step_within(least - 1)(weight, x); }), ErrorCode::memory);
}

TEST(SmallestBudget, IsWhatAProgramWithoutGradientsNeeds) {
  const auto f = compile([](const Tensor& x) { return softmax(matmul(x, x), -1); });
  f(drawn({32, 32}, 3));
  if (f.programs().back()->compiled->program() == nullptr) GTEST_SKIP() << "no kernels";
  // Its result, and at most the product it is made of.
  const int64_t array = 32 * 32 * 4;
  EXPECT_GE(smallest_memory_budget(f), array);
  EXPECT_LE(smallest_memory_budget(f), 2 * array + 256);
}

TEST(SmallestBudget, OfNoProgramOrOneThatHasNone) {
  const auto step = step_within(0);
  EXPECT_EQ(code_of([&] { smallest_memory_budget(step); }), ErrorCode::state);
  const Tensor x = drawn({4, 16}, 4);
  const auto f = compile([](const Tensor& in) { return sum(tanh(in)); });
  set_requires_grad(x);
  f(x);
  EXPECT_EQ(code_of([&] { smallest_memory_budget(f); }), ErrorCode::memory);
}

}  // namespace
}  // namespace ridge::smallest_budget_test

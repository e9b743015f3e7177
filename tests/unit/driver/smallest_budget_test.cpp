#include "ridge/driver/smallest_budget.h"

#include <gtest/gtest.h>

#include "ridge/base/random.h"
#include "ridge/driver/entry.h"
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

// Blocks of a chain, of several forms: wide inside, of one width throughout, and with a norm.
Tensor wide_block(const Tensor& weight, const Tensor& x) {
  return x + matmul(gelu(matmul(x, weight)), transpose(weight, 0, 1));
}
Tensor even_block(const Tensor& weight, const Tensor& x) {
  const Tensor square = slice(weight, 1, 0, 32);
  return tanh(matmul(sigmoid(matmul(tanh(matmul(x, square)), square)), square));
}
Tensor normed_block(const Tensor& weight, const Tensor& x) {
  const Tensor rows = (x - mean(x, {-1}, true)) * rsqrt(mean(square(x), {-1}, true) + 1e-5);
  return x + matmul(gelu(matmul(softmax(rows, -1), weight)), transpose(weight, 0, 1));
}

// Whoever marks the blocks by hand gets no further down than the search does by itself.
TEST(SmallestBudget, IsNoMoreThanCheckpointsOfTheBlocksReach) {
  const Tensor weight = drawn({32, 128}, 5), x = drawn({512, 32}, 6);
  for (const auto block : {wide_block, even_block, normed_block}) {
    for (const int count : {4, 7, 12}) {
      const auto step_of = [&](auto one) {
        return compile([=](const Tensor& w, const Tensor& in) {
          const auto loss = [=](const Tensor& all, const Tensor& data) {
            Tensor y = data;
            for (int i = 0; i < count; ++i) y = one(all, y);
            return mean(square(y));
          };
          return value_and_grad(loss)(w, in);
        });
      };
      const auto plain = step_of(block);
      const auto marked = step_of(checkpoint(block));
      plain(weight, x);
      marked(weight, x);
      const driver::CompiledGraph& by_hand = *marked.programs().back()->compiled;
      if (by_hand.program() == nullptr) GTEST_SKIP() << "no kernels";
      EXPECT_LE(smallest_memory_budget(plain), by_hand.recomputed()->point.peak_bytes)
          << count << " blocks";
    }
  }
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

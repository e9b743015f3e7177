// Sizes that change from call to call: one program serves them.
#include <gtest/gtest.h>

#include <algorithm>

#include "ridge/base/random.h"
#include "ridge/driver/entry.h"
#include "ridge/ridge.h"

namespace ridge::dynamic_test {
namespace {

Generator& numbers() {
  static Generator& generator = *new Generator(3);
  return generator;
}

void expect_near(const Tensor& got, const Tensor& wanted, double tolerance = 1e-5) {
  ASSERT_EQ(to_text(got.shape()), to_text(wanted.shape()));
  const std::vector<float> a = got.to_vector<float>(), b = wanted.to_vector<float>();
  for (size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], tolerance) << i;
}

const auto kCenter = [](const Tensor& x, const Tensor& w) {
  return matmul(x - mean(x, {-1}, true), w);
};

TEST(Dynamic, TheSizeThatChangedBecomesASymbol) {
  const auto f = compile(kCenter, {.name = "center", .argument_names = {"x", "w"}});
  const Tensor w = normal({6, 4}, numbers());
  for (const int64_t rows : {5, 9, 2, 33, 1, 9}) {
    const Tensor x = normal({rows, 6}, numbers());
    expect_near(f(x, w), kCenter(x, w));
  }
  ASSERT_EQ(f.programs().size(), 2u);
  EXPECT_FALSE(f.programs()[0]->sizes.has_symbols());
  EXPECT_NE(f.programs()[1]->sizes.to_text().find("x_0 in [1, "), std::string::npos);
  EXPECT_EQ(f.programs()[1]->sizes.symbols().size(), 1u);
}

TEST(Dynamic, NothingIsThere) {
  const auto f = compile(kCenter);
  const Tensor w = normal({6, 4}, numbers());
  for (const int64_t rows : {5, 0, 7, 0}) {
    const Tensor x = normal({rows, 6}, numbers());
    expect_near(f(x, w), kCenter(x, w));
  }
  EXPECT_EQ(f.programs().size(), 3u);
}

TEST(Dynamic, Never) {
  const auto f = compile(kCenter, {.dynamic = Dynamic::never});
  const Tensor w = normal({6, 4}, numbers());
  for (const int64_t rows : {5, 9, 2}) f(normal({rows, 6}, numbers()), w);
  EXPECT_EQ(f.programs().size(), 3u);
}

TEST(Dynamic, Always) {
  const auto f = compile(kCenter, {.dynamic = Dynamic::always});
  for (const int64_t rows : {1, 9, 2}) {
    const Tensor x = normal({rows, 5 + rows}, numbers());
    const Tensor w = normal({5 + rows, 4}, numbers());
    expect_near(f(x, w), kCenter(x, w));
  }
  EXPECT_EQ(f.programs().size(), 1u);
}

TEST(Dynamic, BroadcastingIsDecidedByAGuard) {
  const auto add_all = [](const Tensor& x, const Tensor& y) { return x + y; };
  const auto f = compile(add_all, {.argument_names = {"x", "y"}});
  SplitMix64 random(2);
  for (int round = 0; round < 40; ++round) {
    const int64_t n = random.integer(1, 5);
    const Tensor x = normal({random.integer(0, 1) == 0 ? 1 : n, 3}, numbers());
    const Tensor y = normal({random.integer(0, 1) == 0 ? 1 : n, 3}, numbers());
    expect_near(f(x, y), x + y);
  }
  EXPECT_LE(f.programs().size(), 5u);
}

TEST(Dynamic, EqualSizesShareAProgramOnlyByGuard) {
  // Equal in the first two calls, different in the third.
  const auto outer = [](const Tensor& x, const Tensor& y) { return unsqueeze(x, 1) * y; };
  const auto f = compile(outer);
  for (const auto& [n, m] : std::vector<std::pair<int64_t, int64_t>>{{3, 3}, {4, 4}, {4, 7}}) {
    const Tensor x = normal({n}, numbers()), y = normal({m}, numbers());
    expect_near(f(x, y), outer(x, y));
  }
  EXPECT_EQ(f.programs().size(), 2u);
}

TEST(Dynamic, StridesFollowTheSizes) {
  const auto f = compile([](const Tensor& x) { return sum(x * 2, {0}); });
  for (const int64_t n : {4, 6, 9, 5}) {
    const Tensor whole = normal({n, 8}, numbers());
    expect_near(f(transpose(whole, 0, 1)), sum(transpose(whole, 0, 1) * 2, {0}));
  }
  EXPECT_EQ(f.programs().size(), 2u);
  for (const int64_t n : {4, 6, 9, 5}) {
    const Tensor part = slice(normal({3, 12 + n}, numbers()), 1, 1, 1 + n);
    expect_near(f(part), sum(part * 2, {0}));
  }
  EXPECT_EQ(f.programs().size(), 4u);
}

TEST(Dynamic, AnArgumentOfTypeSizeBecomesASymbol) {
  const auto pad = [](const Tensor& x, Size n) { return cat({x, zeros({n, x.size(1)})}, 0); };
  const auto f = compile(pad, {.argument_names = {"x", "n"}});
  for (const int64_t n : {2, 5, 1, 9, 0}) {
    const Tensor x = normal({3, 4}, numbers());
    expect_near(f(x, Size(n)), pad(x, n));
  }
  EXPECT_EQ(f.programs().size(), 3u);  // 2, all others, none
}

TEST(Dynamic, AnIntegerForASizeThatChangesBecomesASymbol) {
  const auto pad = [](const Tensor& x, Size n) { return cat({x, zeros({n, x.size(1)})}, 0); };
  const auto f = compile(pad, {.argument_names = {"x", "n"}});
  const Tensor x = normal({3, 4}, numbers());
  for (const int n : {2, 5, 1, 9}) expect_near(f(x, n), pad(x, n));
  EXPECT_EQ(f.programs().size(), 2u);
  // A function that takes an integer may do with it what it likes.
  const auto times = [](const Tensor& y, int64_t n) { return n % 2 == 0 ? y * n : y; };
  const auto g = compile(times);
  for (const int n : {2, 5, 1}) expect_near(g(x, n), times(x, n));
  EXPECT_EQ(g.programs().size(), 3u);
}

// Each call has another size that no call before has changed.
TEST(Dynamic, PastABoundOneProgramServesAll) {
  const auto sums = [](const std::vector<Tensor>& list) {
    Tensor total = sum(list[0]);
    for (size_t i = 1; i < list.size(); ++i) total = total + sum(list[i] * (1.0 + double(i)));
    return total;
  };
  const auto f = compile(sums);
  std::vector<Tensor> list;
  for (int64_t i = 0; i < 16; ++i) list.push_back(normal({i + 2}, numbers()));
  for (size_t changed = 0; changed < 16; ++changed) {
    expect_near(f(list), sums(list), 1e-4);
    list[changed] = normal({30 - static_cast<int64_t>(changed)}, numbers());
  }
  EXPECT_EQ(f.programs().size(), 9u);
  EXPECT_EQ(f.programs().back()->sizes.symbols().size(), 16u);
}

TEST(Dynamic, ASizeThatIsReadIsFixed) {
  const auto f =
      compile([](const Tensor& x) { return x * static_cast<double>(x.size(0).value()); });
  for (const int64_t n : {2, 5, 7}) {
    const Tensor x = normal({n}, numbers());
    expect_near(f(x), x * static_cast<double>(n));
  }
  EXPECT_EQ(f.programs().size(), 3u);
  EXPECT_NE(to_text(explain_recompiles(f)).find("arg0_0 == 5"), std::string::npos)
      << to_text(explain_recompiles(f));
}

TEST(Dynamic, UpdatesAndGradientsOfSymbolicSizes) {
  const auto step = [](Tensor& w, const Tensor& x) {
    const auto loss = [](const Tensor& v, const Tensor& in) { return mean(square(matmul(in, v))); };
    const auto [value, gradient] = value_and_grad(loss)(w, x);
    w = w - 0.1 * gradient;
    return value;
  };
  const auto f = compile(step);
  Tensor w = normal({4, 3}, numbers()), same = clone(w);
  for (const int64_t n : {3, 8, 5, 1, 12}) {
    const Tensor x = normal({n, 4}, numbers());
    expect_near(f(w, x), step(same, x));
    expect_near(w, same);
  }
  EXPECT_LE(f.programs().size(), 3u);  // a gradient is summed where a 1 was broadcast
}

#if RIDGE_HAS_LLVM

TEST(Dynamic, GradientsOfSymbolicSizesComputeAgain) {
  const auto loss = [](const Tensor& w, const Tensor& x) {
    const auto layer = checkpoint(
        [](const Tensor& a, const Tensor& v) { return tanh(matmul(tanh(matmul(a, v)), v)); });
    return mean(square(layer(x, w)));
  };
  const Tensor w = normal({6, 6}, numbers());
  const auto programs_of = [&] {
    const auto step =
        compile([loss](const Tensor& v, const Tensor& x) { return grad(loss)(v, x); });
    for (const int64_t rows : {5, 9, 2, 33, 1, 9}) {
      const Tensor x = normal({rows, 6}, numbers());
      expect_near(step(w, x), grad(loss)(w, x));
    }
    return step.programs();
  };
  const auto programs = programs_of();
  const auto& symbolic = *programs[1];
  EXPECT_TRUE(symbolic.sizes.has_symbols());
  ASSERT_TRUE(symbolic.compiled->recomputed());
  const auto& nodes = symbolic.compiled->graph().nodes;
  EXPECT_GE(std::ranges::count(nodes, graph::Phase::recomputed, &graph::Node::phase), 3);
  const ScopedKnob without(Knob::disable, "recompute");
  EXPECT_EQ(programs.size(), programs_of().size()) << "choices by expected sizes leave no guards";
}

#endif

TEST(Dynamic, ABadIndexIsFoundAtEverySize) {
  const auto f = compile([](const Tensor& x, const Tensor& i) { return index_select(x, 0, i); });
  const Tensor x = normal({4, 3}, numbers());
  for (const int64_t n : {2, 3, 6}) f(x, zeros({n}, i64));
  EXPECT_THROW(f(x, full({5}, 4, i64)), Error);
  expect_near(f(x, ones({5}, i64)), index_select(x, 0, ones({5}, i64)));
}

TEST(Dynamic, ABoundCallKeepsItsSizes) {
  const auto f = compile(kCenter);
  const Tensor w = normal({6, 4}, numbers());
  const Tensor x = normal({5, 6}, numbers()), y = normal({8, 6}, numbers());
  f(normal({3, 6}, numbers()), w);
  const auto first = f.bind(x, w), second = f.bind(y, w);
  expect_near(second(), kCenter(y, w));
  expect_near(first(), kCenter(x, w));
  EXPECT_EQ(f.programs().size(), 2u);
}

TEST(Dynamic, ReportsNameTheSymbols) {
  const auto f = compile(kCenter, {.name = "center", .argument_names = {"x", "w"}});
  const Tensor w = normal({6, 4}, numbers());
  for (const int64_t rows : {5, 9}) f(normal({rows, 6}, numbers()), w);
  for (const std::string& text : {explain(f), kernel_table(f)}) {
    EXPECT_NE(text.find("is for x_0 in [1, 2147483648] = 9"), std::string::npos) << text;
  }
}

// 300 batch sizes and lengths through one transformer block.
TEST(Dynamic, NoStormOfPrograms) {
  nn::TransformerBlock block(16, 2, numbers());
  const auto run = [](nn::TransformerBlock& b, const Tensor& x) { return b(x); };
  const auto f = compile(run, {.name = "block"});
  SplitMix64 random(11);
  for (int i = 0; i < 300; ++i) {
    const Tensor x = normal({random.integer(1, 20), random.integer(2, 30), 16}, numbers());
    const Tensor y = f(block, x);
    if (i % 10 == 0) expect_near(y, run(block, x), 1e-4);
  }
  EXPECT_LE(f.programs().size(), 3u);
  EXPECT_LE(f.counters().misses, 3);
}

}  // namespace
}  // namespace ridge::dynamic_test

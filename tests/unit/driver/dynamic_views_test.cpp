// Views, writes and control flow in functions whose sizes change from call to call: as after an eager call.
#include <gtest/gtest.h>

#include <functional>

#include "ridge/ridge.h"

namespace ridge::dynamic_views_test {
namespace {

Tensor drawn(const Shape& shape) {
  static Generator& generator = *new Generator(21);
  return normal(shape, generator);
}

bool is_same_view(const Tensor& a, const Tensor& b) {
  return a.shares_storage_with(b) && a.offset().is_same(b.offset()) &&
         is_same(a.shape(), b.shape()) && is_same(a.strides(), b.strides());
}

void expect_near(const Tensor& got, const Tensor& wanted) {
  ASSERT_EQ(to_text(got.shape()), to_text(wanted.shape()));
  const std::vector<float> a = got.to_vector<float>(), b = wanted.to_vector<float>();
  for (size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], 1e-5) << i;
}

TEST(DynamicViews, AViewOfAnArgumentHasTheSizesOfTheCall) {
  const auto last = [](const Tensor& x, const Tensor& y) {
    // Its own size is equal to another's by guard only.
    return std::pair(transpose(slice(x, 0, x.size(0) - 1), 0, 1), x + y);
  };
  const auto f = compile(last, {.argument_names = {"x", "y"}});
  for (const int64_t n : {4, 7, 2, 9}) {
    const Tensor x = drawn({n, 3}), y = drawn({n, 3});
    const auto [view, total] = f(x, y);
    EXPECT_TRUE(is_same_view(view, last(x, y).first)) << describe(view);
    expect_near(total, x + y);
  }
  EXPECT_EQ(f.programs().size(), 2u);
}

TEST(DynamicViews, ResultsOfOneMemoryShareIt) {
  const auto both = [](const Tensor& x) {
    const Tensor y = x * 2;
    return std::pair(y, slice(y, 0, 1));
  };
  const auto f = compile(both);
  for (const int64_t n : {4, 7, 3}) {
    const Tensor x = drawn({n, 3});
    const auto [whole, rest] = f(x);
    EXPECT_TRUE(is_same_view(rest, slice(whole, 0, 1)));
    expect_near(whole, x * 2);
  }
  EXPECT_EQ(f.programs().size(), 2u);
}

TEST(DynamicViews, WritesReachTheCallersTensor) {
  const auto write = [](Tensor& x) {
    const Tensor inner = slice(x, 0, 1, x.size(0) - 1);
    mul_(inner, 3);
    return sum(x, {0});
  };
  const auto f = compile(write);
  for (const int64_t n : {4, 7, 3, 11}) {
    Tensor x = drawn({n, 3}), same = clone(x);
    expect_near(f(x), write(same));
    expect_near(x, same);
  }
  EXPECT_EQ(f.programs().size(), 2u);
}

// Views whose aliasing depends on a size of 1, or on strides of dimensions that may have it.
TEST(DynamicViews, WritesThroughViewsOfOneRowReachTheCallersTensor) {
  const auto every_other = [](const Tensor& a) { return slice(a, 0, 0, kEnd, 2); };
  const std::pair<const char*, std::function<Tensor(const Tensor&)>> views[] = {
      {"a dim behind", [&](const Tensor& a) { return unsqueeze(every_other(a), 1); }},
      {"a dim in front", [&](const Tensor& a) { return unsqueeze(every_other(a), 0); }},
      {"rows cut", [&](const Tensor& a) { return reshape(every_other(a), {-1, 2, 2}); }},
      {"flat", [&](const Tensor& a) { return flatten(every_other(a)); }},
      {"a dim behind and gone",
       [&](const Tensor& a) { return squeeze(unsqueeze(every_other(a), 2), {2}); }},
      {"a column", [&](const Tensor& a) { return select(every_other(a), 1, 3); }},
      {"turned and flat",
       [&](const Tensor& a) { return flatten(transpose(every_other(a), 0, 1)); }},
      {"columns and flat", [&](const Tensor& a) { return flatten(slice(a, 1, 0, 2)); }},
      {"packed", [&](const Tensor& a) { return contiguous(every_other(a)); }},
      {"turned and packed", [&](const Tensor& a) { return contiguous(transpose(a, 0, 1)); }},
      {"a dim behind, kept",
       [&](const Tensor& a) { return expand(unsqueeze(every_other(a), 1), {-1, 1, -1}); }},
  };
  for (const auto& [name, view] : views) {
    const auto write = [&](Tensor& a) { add_(view(a), 1); };
    for (const std::vector<int64_t>& rows :
         {std::vector<int64_t>{3, 2, 1, 5}, {2, 4, 1, 3}, {1, 2, 3}, {4, 1, 2, 6}}) {
      const auto f = compile(write);
      for (const int64_t n : rows) {
        Tensor compiled = zeros({n, 4}), eager = zeros({n, 4});
        f(compiled);
        write(eager);
        EXPECT_EQ(compiled.to_vector<float>(), eager.to_vector<float>())
            << name << " of " << n << " rows, programs " << f.programs().size();
      }
    }
  }
}

TEST(DynamicViews, AnInsertedDimensionNeedsNoProgramOfItsOwn) {
  const auto f = compile([](Tensor& a) { add_(unsqueeze(slice(a, 0, 0, kEnd, 2), 1), 1); });
  for (const int64_t n : {3, 2, 5, 1, 8}) {
    Tensor a = zeros({n, 4});
    f(a);
    EXPECT_EQ(sum(a).item<float>(), static_cast<float>(4 * ((n + 1) / 2)));
  }
  EXPECT_EQ(f.programs().size(), 2u);
}

TEST(DynamicViews, WhatIsExpandedToNothingIsNotWritten) {
  const auto f = compile([](Tensor& a) {
    add_(expand(a, {0}), 1);
    return a * 2;
  });
  Tensor a = full({1}, 3.0f);
  EXPECT_EQ(f(a).item<float>(), 6);
  EXPECT_EQ(a.item<float>(), 3);
}

// Its memory, not its own size, is what the program writes.
TEST(DynamicViews, AnArgumentThatShowsElementsTwiceIsWrittenInEverySize) {
  const auto write = [](Tensor& a) { mul_(slice(a, 1, 0, 1), 2); };
  const auto f = compile(write);
  for (const int64_t n : {4, 5, 7, 3, 4}) {
    const Tensor memory = drawn({n, 1}), same = clone(memory);
    Tensor a = expand(memory, {-1, 3}), b = expand(same, {-1, 3});
    f(a);
    write(b);
    EXPECT_EQ(memory.to_vector<float>(), same.to_vector<float>()) << n;
  }
}

TEST(DynamicViews, ArgumentsThatShareMemoryAreTakenAsTheyAre) {
  const auto write = [](Tensor& x, const Tensor& y) {
    add_(x, 1);
    return y * 2;
  };
  const auto f = compile(write);
  for (const int64_t n : {4, 6, 8}) {
    const Tensor memory = drawn({n + 2}), same = clone(memory);
    Tensor x = slice(memory, 0, 0, n), own = slice(same, 0, 0, n);
    expect_near(f(x, slice(memory, 0, 2)), write(own, slice(same, 0, 2)));
    expect_near(memory, same);
  }
}

// A loop over a number of elements that changes, with branches inside.
TEST(DynamicViews, ControlFlow) {
  const auto run = [](const Tensor& xs, const Tensor& h) {
    const auto [state, ys] = scan(
        [](const Tensor& carry, const Tensor& x) {
          const Tensor next = cond(
              sum(x) > 0, [](const Tensor& c, const Tensor& v) { return c + v; },
              [](const Tensor& c, const Tensor& v) { return c * 0.5 - v; }, carry, x);
          return std::pair(next, next * 2);
        },
        h, xs);
    return std::pair(state * 2, mean(ys, {0}));
  };
  const auto f = compile(run);
  for (const int64_t n : {3, 5, 1, 8}) {
    for (const int64_t width : {4, 6}) {
      const Tensor xs = drawn({n, width}), h = drawn({width});
      const auto [state, total] = f(xs, h);
      const auto [wanted_state, wanted_total] = run(xs, h);
      expect_near(state, wanted_state);
      expect_near(total, wanted_total);
    }
  }
}

}  // namespace
}  // namespace ridge::dynamic_views_test

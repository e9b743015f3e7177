// Views, writes and control flow in functions whose sizes change from call to call: as after an eager call.
#include <gtest/gtest.h>

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

#include <gtest/gtest.h>

#include "ridge/ridge.h"

namespace ridge::hooks_test {
namespace {

using Values = std::vector<double>;

Tensor leaf(double value) {
  const Tensor t = Tensor::of<double>({value}, {1});
  set_requires_grad(t);
  return t;
}

TEST(Hook, SeesTheCompleteGradientOnce) {
  const Tensor x = leaf(3);
  const Tensor y = x * 2;
  Values seen;
  add_hook(y, [&](const Tensor& g) {
    seen.push_back(g.item<double>());
    return Tensor();
  });
  backward(y * y + y);
  EXPECT_EQ(seen, (Values{13}));
  EXPECT_EQ(grad_of(x).item<double>(), 26);
}

TEST(Hook, ReplacesTheGradient) {
  const Tensor x = leaf(3);
  const Tensor y = x * 2;
  add_hook(y, [](const Tensor& g) { return g * 10; });
  add_hook(y, [](const Tensor& g) { return g + 1; });  // on what the first one returned
  add_hook(x, [](const Tensor& g) { return -g; });
  backward(y);
  EXPECT_EQ(grad_of(x).item<double>(), -22);
}

TEST(Hook, RunsInGradientsToo) {
  const Tensor x = leaf(3);
  const Tensor y = x * 2;
  add_hook(y, [](const Tensor& g) { return g * 10; });
  const auto g = gradients({y}, {y, x});
  EXPECT_EQ(g[0].item<double>(), 10);
  EXPECT_EQ(g[1].item<double>(), 20);
}

TEST(Hook, CanBeRemoved) {
  const Tensor x = leaf(3);
  auto alive = std::make_shared<int>(0);
  HookHandle handle = add_hook(x, [alive](const Tensor& g) { return g * 10; });
  EXPECT_EQ(alive.use_count(), 2);
  backward(x * 1);
  handle.remove();
  handle.remove();
  EXPECT_EQ(alive.use_count(), 1);
  backward(x * 1);
  EXPECT_EQ(grad_of(x).item<double>(), 11);
}

TEST(Hook, StaysWithTheValueItWasAddedTo) {
  const Tensor x = leaf(3);
  const Tensor y = x * 2;
  Values seen;
  add_hook(y, [&](const Tensor& g) {
    seen.push_back(g.item<double>());
    return Tensor();
  });
  mul_(y, 5);
  backward(y);
  EXPECT_EQ(seen, (Values{5}));  // the gradient of y before it was scaled
}

TEST(Hook, MustKeepTheShape) {
  const Tensor x = leaf(3);
  const HookHandle handle = add_hook(x, [](const Tensor& g) { return reshape(g, {1, 1}); });
  try {
    backward(x * 2);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::gradient);
    EXPECT_STREQ(error.where()->file_name(), __FILE__);
  }
  EXPECT_FALSE(grad_of(x).defined());
}

TEST(Hook, IsRecordedWithCreateGraph) {
  const Tensor x = leaf(3);
  add_hook(x, [](const Tensor& g) { return g * g; });
  const Tensor g = gradients({x * x}, {x}, {}, {.create_graph = true})[0];  // (2x)^2
  EXPECT_EQ(g.item<double>(), 36);
  // The hook is on x, so it acts on this gradient too: (8x)^2.
  EXPECT_EQ(gradients({g}, {x})[0].item<double>(), 24 * 24);
}

// A failure anywhere leaves thread state and gradients as they were.
TEST(Failure, InAHookLeavesEverythingUsable) {
  const Tensor x = leaf(3), w = leaf(2);
  const Tensor y = x * w;
  const Tensor z = y * y;
  HookHandle handle = add_hook(y, [](const Tensor&) -> Tensor { throw std::runtime_error("no"); });
  EXPECT_THROW(backward(z, {}, {.retain_graph = true}), std::runtime_error);
  EXPECT_TRUE(dispatch::thread_state().grad_enabled);
  EXPECT_FALSE(grad_of(x).defined());
  handle.remove();
  backward(z);
  EXPECT_EQ(grad_of(x).item<double>(), 24);
  EXPECT_EQ(grad_of(w).item<double>(), 36);
}

TEST(Failure, LateInARunAddsToNoLeaf) {
  const Tensor x = leaf(3), w = leaf(2);
  const HookHandle handle =
      add_hook(x, [](const Tensor&) -> Tensor { throw std::runtime_error("no"); });
  EXPECT_THROW(backward(x * w), std::runtime_error);
  EXPECT_FALSE(grad_of(w).defined());
  EXPECT_FALSE(grad_of(x).defined());
}

}  // namespace
}  // namespace ridge::hooks_test

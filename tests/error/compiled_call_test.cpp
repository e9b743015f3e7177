// Mistakes around compile(): each is a located error, and the function can be called again.
#include <functional>

#include "expect_error.h"
#include "ridge/capture/constant.h"

namespace ridge::testing::compiled_call_test {
namespace {

Tensor some(const Shape& shape, uint64_t seed = 1) {
  Generator generator(seed);
  return uniform(shape, generator, -2.0, 2.0);
}

template <class F>
void expect_doubles(const F& f) {
  const Tensor x = some({3}, 9);
  EXPECT_EQ(f(x).template to_vector<float>(), (x * 2).template to_vector<float>());
}

TEST(CompiledCallError, ATraceThatThrows) {
  bool is_wrong = true;
  const auto f = compile([&](const Tensor& x) {
    const Tensor y = x * 2;
    if (is_wrong) return y + ones({5});
    return y;
  });
  EXPECT_RIDGE_ERROR(f(some({3})), ErrorCode::shape, "add", {"[3]", "[5]"});
  EXPECT_EQ(f.counters().programs, 0u);
  is_wrong = false;
  expect_doubles(f);
}

TEST(CompiledCallError, AnExceptionOfTheUsersOwn) {
  bool is_wrong = true;
  const auto f = compile([&](const Tensor& x) {
    if (is_wrong) throw std::runtime_error("the user's own");
    return x * 2;
  });
  for (int i = 0; i < 2; ++i) EXPECT_THROW(f(some({3})), std::runtime_error);
  is_wrong = false;
  expect_doubles(f);
  EXPECT_EQ(f.counters().misses, 1);
}

TEST(CompiledCallError, AFunctionThatCallsItself) {
  std::function<Tensor(const Tensor&)> again;
  bool is_wrong = true;
  const auto f =
      compile([&](const Tensor& x) { return is_wrong ? again(x) : x * 2; }, {.name = "loop"});
  again = [&](const Tensor& x) { return f(x + 1); };
  EXPECT_RIDGE_ERROR(f(some({3})), ErrorCode::state, "loop", {"call itself"});
  EXPECT_RIDGE_ERROR(f.bind(some({3})), ErrorCode::state, "loop", {"call itself"});
  is_wrong = false;
  expect_doubles(f);
}

TEST(CompiledCallError, ATensorThatLeavesItsTrace) {
  Tensor leaked;
  const auto f = compile([&](const Tensor& x) {
    leaked = x + 1;
    return x * 2;
  });
  expect_doubles(f);
  EXPECT_RIDGE_ERROR(f(leaked), ErrorCode::state, "", {"input 0", "f32[3]", "capture"});
  EXPECT_RIDGE_ERROR(leaked.to_vector<float>(), ErrorCode::state, "", {"capture"});
  const auto g = compile([&](const Tensor& x) { return x + leaked; });
  EXPECT_RIDGE_ERROR(g(some({3})), ErrorCode::state, "add", {"capture"});
  expect_doubles(f);
}

TEST(CompiledCallError, AMovedFromTensor) {
  const auto f = compile([](const Tensor& x) { return x * 2; });
  Tensor x = some({3});
  const Tensor taken = std::move(x);
  EXPECT_RIDGE_ERROR(f(x), ErrorCode::state, "", {"undefined"});
  expect_doubles(f);
  // One that the function itself moved from.
  bool is_wrong = true;
  const auto g = compile([&](const Tensor& y) {
    Tensor first = y * 2;
    if (!is_wrong) return first;
    const Tensor second = std::move(first);
    return first + second;
  });
  EXPECT_RIDGE_ERROR(g(taken), ErrorCode::state, "", {"undefined"});
  is_wrong = false;
  expect_doubles(g);
}

TEST(CompiledCallError, AMovedFromFunction) {
  auto f = compile([](const Tensor& x) { return x * 2; });
  const Tensor x = some({3});
  auto bound = f.bind(x);
  const auto taken_call = std::move(bound);
  EXPECT_RIDGE_ERROR(bound(), ErrorCode::state, "", {"compiled function", "moved from"});  // NOLINT
  EXPECT_EQ(taken_call().to_vector<float>(), (x * 2).to_vector<float>());

  const auto copy = f;
  const auto taken = std::move(f);
  EXPECT_RIDGE_ERROR(f(x), ErrorCode::state, "", {"compiled function", "moved from"});  // NOLINT
  EXPECT_RIDGE_ERROR(f.bind(x), ErrorCode::state, "", {"moved from"});                  // NOLINT
  EXPECT_RIDGE_ERROR(f.name(), ErrorCode::state, "", {"moved from"});                   // NOLINT
  EXPECT_RIDGE_ERROR(explain(f), ErrorCode::state, "", {"moved from"});                 // NOLINT
  EXPECT_RIDGE_ERROR(explain_recompiles(f), ErrorCode::state, "", {"moved from"});      // NOLINT
  expect_doubles(taken);
  expect_doubles(copy);
  f = taken;
  expect_doubles(f);
}

TEST(CompiledCallError, ADonatedTensor) {
  const auto f = compile([](const Tensor& x, const Tensor& y) { return x + y; });
  const Tensor x = some({3}), y = some({3}, 2);
  const std::vector<float> expected = (x + y).to_vector<float>();
  EXPECT_EQ(f(x, y).to_vector<float>(), expected);
  const Tensor gone = clone(y);
  gone.donate();
  EXPECT_RIDGE_ERROR(f(x, gone), ErrorCode::state, "", {"input 1", "f32[3]", "donated"});
  EXPECT_EQ(f(x, y).to_vector<float>(), expected);
  bool is_wrong = true;
  const auto g = compile([&](const Tensor& z) { return is_wrong ? z + constant(gone) : z * 2; });
  EXPECT_RIDGE_ERROR(g(x), ErrorCode::state, "constant", {"donated"});
  is_wrong = false;
  expect_doubles(g);
}

TEST(CompiledCallError, AWriteOfAValueWithAGradient) {
  const auto f = compile([](const Tensor& x, Tensor& kept) {
    copy_(kept, x * 2);
    return x * 2;
  });
  const Tensor x = some({3});
  set_requires_grad(x);
  Tensor kept = some({3});
  EXPECT_RIDGE_ERROR(f(x, kept), ErrorCode::gradient, "function", {"value_and_grad"});
  const dispatch::GradMode values_only(false);
  const Tensor doubled = f(x, kept);
  EXPECT_EQ(doubled.to_vector<float>(), kept.to_vector<float>());
}

}  // namespace
}  // namespace ridge::testing::compiled_call_test

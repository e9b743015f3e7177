// Mistakes in calls of jvp and vmap.
#include "expect_error.h"

namespace ridge::testing::transform_test {
namespace {

Tensor numbers(const Shape& shape) { return reshape(arange(numel(shape), f32, kCpu), shape); }

TEST(TransformErrors, ADirectionThatDoesNotFit) {
  const Tensor x = numbers({3});
  const auto f = jvp([](const Tensor& t) { return exp(t); });
  expect_error({ErrorCode::shape, "jvp", {"f32[3]", "f32[4]"}}, __FILE__,
               [&] { f(x, numbers({4})); });
  expect_error({ErrorCode::dtype, "jvp", {"f32[3]", "f64[3]"}}, __FILE__,
               [&] { f(x, cast(x, f64)); });
}

TEST(TransformErrors, AGradientThatIsNoLinearMapHasNoForwardDerivative) {
  const auto clipped =
      custom_vjp([](const std::vector<Tensor>& t) -> std::vector<Tensor> { return {t[0] * 2}; },
                 [](const CustomCall&, const std::vector<Tensor>& g) -> std::vector<Tensor> {
                   return {clamp(g[0], -1, 1)};
                 });
  const auto f = jvp([&](const Tensor& t) { return clipped({t})[0]; });
  expect_error({ErrorCode::gradient, "", {"linear map"}}, __FILE__,
               [&] { f(numbers({3}), numbers({3})); });
}

TEST(TransformErrors, BatchesThatDoNotFit) {
  const auto add_both = [](const Tensor& x, const Tensor& y) { return x + y; };
  expect_error({ErrorCode::shape, "vmap", {"batches of one length, 3", "f32[4, 2]"}}, __FILE__,
               [&] { vmap(add_both)(numbers({3, 2}), numbers({4, 2})); });
  expect_error({ErrorCode::shape, "vmap", {"a dimension 0", "argument 1", "f32[]"}}, __FILE__,
               [&] { vmap(add_both)(numbers({3}), numbers({})); });
  expect_error({ErrorCode::value, "vmap", {"in_axes for 2 arguments"}}, __FILE__,
               [&] { vmap(add_both, {.in_axes = {0}})(numbers({3}), numbers({3})); });
  expect_error({ErrorCode::value, "vmap", {"to map over"}}, __FILE__, [&] {
    vmap(add_both, {.in_axes = {std::nullopt, std::nullopt}})(numbers({3}), numbers({3}));
  });
  expect_error({ErrorCode::value, "vmap", {"out_axes for 1"}}, __FILE__,
               [&] { vmap(add_both, {.out_axes = {0, 0}})(numbers({3}), numbers({3})); });
}

TEST(TransformErrors, AnExampleMayNotWriteToWhatAllShare) {
  const auto f = [](const Tensor& x, const Tensor& total) {
    total += sum(x);
    return x;
  };
  expect_error({ErrorCode::state, "vmap", {"shared argument"}}, __FILE__,
               [&] { vmap(f, {.in_axes = {0, std::nullopt}})(numbers({3, 2}), numbers({})); });
}

TEST(TransformErrors, RandomNumbersOfASharedGenerator) {
  Generator generator(1);
  const auto f = [](const Tensor& x, Generator& g) { return dropout(x, 0.5, g); };
  expect_error({ErrorCode::state, "dropout", {"Randomness::different"}}, __FILE__,
               [&] { vmap(f, {.in_axes = {0, std::nullopt}})(numbers({3, 2}), generator); });
}

}  // namespace
}  // namespace ridge::testing::transform_test

// Which dtype each op computes in under autocast.
#include "ridge/ops/autocast.h"

#include <gtest/gtest.h>

#include <functional>

#include "ridge/ops/registry.h"
#include "ridge/ops/samples.h"
#include "ridge/ridge.h"

namespace ridge::autocast_test {
namespace {

Tensor numbers(const Shape& shape, DType dtype, uint64_t seed = 1) {
  Generator generator(seed);
  return uniform(shape, generator, 0.5, 2.0, dtype);
}

using Function = std::function<Tensor(const Tensor&)>;

TEST(Autocast, SumsExponentialsLossesAndNormsAreF32) {
  const std::vector<std::pair<const char*, Function>> stay = {
      {"sum", [](const Tensor& x) { return sum(x); }},  // matches: one of each kind that stays f32
      {"sum of rows", [](const Tensor& x) { return sum(x, {1}); }},
      {"mean", [](const Tensor& x) { return mean(x); }},
      {"prod", [](const Tensor& x) { return prod(x); }},
      {"var", [](const Tensor& x) { return var(x); }},
      {"cumsum", [](const Tensor& x) { return cumsum(x, 0); }},
      {"logsumexp", [](const Tensor& x) { return logsumexp(x, {1}); }},
      {"exp", [](const Tensor& x) { return exp(x); }},
      {"log", [](const Tensor& x) { return log(x); }},
      {"pow", [](const Tensor& x) { return pow(x, 2.5); }},
      {"rsqrt", [](const Tensor& x) { return rsqrt(x); }},
      {"softmax", [](const Tensor& x) { return softmax(x, -1); }},
      {"layer_norm", [](const Tensor& x) { return layer_norm(x, {}, {}, 1e-5); }},
      {"rms_norm", [](const Tensor& x) { return rms_norm(x, {}, 1e-6); }},
      {"mse_loss", [](const Tensor& x) { return mse_loss(x, x * 0.5); }},
      {"cross_entropy", [](const Tensor& x) { return cross_entropy(x, arange(4, i64)); }},
  };
  for (const DType low : {bf16, f16}) {
    const Tensor x = numbers({4, 8}, low);
    const AutocastScope autocast(low);
    for (const auto& [name, f] : stay) EXPECT_EQ(ridge::name(f(x).dtype()), "f32") << name;
  }
}

TEST(Autocast, ProductsAreLow) {
  for (const DType low : {bf16, f16}) {
    const AutocastScope autocast(low);
    const Tensor x = numbers({2, 4, 8}, f32);
    EXPECT_EQ(matmul(x, transpose(x, -1, -2)).dtype(), low);
    EXPECT_EQ(linear(x, numbers({3, 8}, f32), numbers({3}, f32)).dtype(), low);
    EXPECT_EQ(scaled_dot_product_attention(x, x, x, {}, false).dtype(), low);
    EXPECT_EQ(matmul(x, cast(transpose(x, -1, -2), low)).dtype(), low);
    EXPECT_EQ(matmul(cast(x, f64), transpose(cast(x, f64), -1, -2)).dtype(), f64);
  }
}

// Whatever adds up many elements of one operand does it in f32 and gives f32: a new record that sums
// cannot forget its class.
TEST(Autocast, EveryOpThatSumsOneOperandIsFull) {
  size_t found = 0;
  for (const ops::OpRecord* record : ops::registry().all()) {
    if (!record->define || !record->samples) continue;
    ops::SampleMaker maker(record->op->schema(), f32, 1);
    record->samples(maker);
    for (const ops::SampleCall& sample : maker.take()) {
      const std::vector<dispatch::Arg> args = dispatch::borrow(sample.args);
      const ops::Call call(record->op->schema(), args);
      if (call.operands().size() != 1) continue;
      const ops::Definition definition = record->define(call);
      const bool adds = definition.reducer == ops::Reducer::sum && !definition.is_scatter() &&
                        definition.value->type == expr::Type::real;  // not a count
      if (!adds) continue;
      ++found;
      EXPECT_EQ(record->autocast, ops::Autocast::full) << record->op->name();
    }
  }
  EXPECT_GT(found, 0U);
}

// The gradient of a product is a product of the same dtype, and reaches a parameter in its own.
TEST(Autocast, GradientsFollowTheCasts) {
  Tensor w = numbers({8, 3}, f32, 2);
  set_requires_grad(w);
  const Tensor x = numbers({4, 8}, f32);
  Tensor loss;
  {
    const AutocastScope autocast(bf16);
    loss = mean(square(matmul(x, w)));
  }
  EXPECT_EQ(loss.dtype(), f32);
  const Tensor gradient = gradients({loss}, {w})[0];
  EXPECT_EQ(gradient.dtype(), f32);
  // It went through bf16, so its values are those of bf16.
  EXPECT_EQ(cast(cast(gradient, bf16), f32).to_vector<float>(), gradient.to_vector<float>());
}

}  // namespace
}  // namespace ridge::autocast_test

#include "ridge/nn/grouped_attention.h"

#include <gtest/gtest.h>

#include <cmath>

#include "../capture/compiled.h"
#include "ridge/nn/language_layers.h"

namespace ridge::testing::grouped_attention_test {
namespace {

void expect_close(const Tensor& actual, const Tensor& expected, double tolerance = 1e-5) {
  ASSERT_EQ(to_text(actual.shape()), to_text(expected.shape()));
  const auto a = actual.to_vector<double>(), b = expected.to_vector<double>();
  for (size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], tolerance) << i;
}

TEST(LanguageLayers, NormsAndGates) {
  Generator generator(1);
  const Tensor x = random({2, 3, 8}, 1);
  nn::RmsNorm norm(8, 1e-5);
  norm.weight = random({8}, 2);
  expect_close(norm(x), x / sqrt(mean(square(x), {-1}, true) + 1e-5) * norm.weight);
  const nn::SwiGlu mlp(8, 12, generator);
  expect_close(mlp(x), mlp.down(silu(mlp.gate(x)) * mlp.up(x)));
}

TEST(LanguageLayers, LearnedPositionsStartWhereTheyAreTold) {
  Generator generator(1);
  const nn::LearnedPositions positions(6, 4, generator);
  const Tensor x = random({2, 3, 4}, 1);
  expect_close(positions(x, 2), x + slice(positions.weight, 0, 2, 5));
  EXPECT_THROW(positions(x, 4), Error);
}

// Each pair as a complex number, times e^(i position frequency).
TEST(Rotary, TurnsPairs) {
  for (const nn::RotaryLayout layout : {nn::RotaryLayout::halves, nn::RotaryLayout::pairs}) {
    const nn::Rotary rotary(6, {.theta = 100, .layout = layout});
    const Tensor x = random({2, 4, 6}, 3);
    const auto in = x.to_vector<double>(), out = nn::rotate(x, rotary(4, 5)).to_vector<double>();
    for (size_t row = 0; row < 8; ++row) {
      for (size_t i = 0; i < 3; ++i) {
        const bool is_halves = layout == nn::RotaryLayout::halves;
        const size_t a = row * 6 + (is_halves ? i : 2 * i), b = a + (is_halves ? 3 : 1);
        const double angle =
            static_cast<double>(5 + row % 4) * std::pow(100, -2.0 * static_cast<double>(i) / 6);
        EXPECT_NEAR(out[a], in[a] * std::cos(angle) - in[b] * std::sin(angle), 1e-5);
        EXPECT_NEAR(out[b], in[b] * std::cos(angle) + in[a] * std::sin(angle), 1e-5);
      }
    }
  }
}

TEST(Rotary, ScalingSlowsSlowPairsAlone) {
  const nn::Rotary plain(64, {.theta = 500000});
  const nn::Rotary scaled(64, {.theta = 500000, .scaling = {.factor = 8, .context = 8192}});
  const auto a = plain.frequencies.to_vector<double>(), b = scaled.frequencies.to_vector<double>();
  EXPECT_EQ(b.front(), a.front());
  EXPECT_NEAR(b.back(), a.back() / 8, 1e-12);
  for (size_t i = 0; i < a.size(); ++i) EXPECT_TRUE(b[i] <= a[i] && b[i] >= a[i] / 8.001) << i;
  EXPECT_THROW(nn::Rotary(7), Error);
}

nn::GroupedQueryAttention attention_of(Generator& generator) {
  return {16, {.heads = 4, .kv_heads = 2, .has_qkv_bias = true}, generator};
}

TEST(GroupedAttention, IsAttentionWithRepeatedKeys) {
  Generator generator(2);
  const nn::GroupedQueryAttention attention = attention_of(generator);
  const Tensor x = random({2, 5, 16}, 4);
  const auto heads = [&](const Tensor& y, int64_t count) {
    return transpose(reshape(y, {2, 5, count, 4}), 1, 2);
  };
  const auto repeated = [&](const Tensor& y) {
    return reshape(expand(unsqueeze(heads(y, 2), 2), {2, 2, 2, 5, 4}), {2, 4, 5, 4});
  };
  const Tensor mixed =
      scaled_dot_product_attention(heads(attention.query(x), 4), repeated(attention.key(x)),
                                   repeated(attention.value(x)), {}, true);
  expect_close(attention(x), attention.output(reshape(transpose(mixed, 1, 2), {2, 5, 16})));
}

TEST(GroupedAttention, ACacheGivesWhatTheWholeTextGives) {
  Generator generator(2);
  const nn::GroupedQueryAttention attention = attention_of(generator);
  const nn::Rotary rotary(4);
  const Tensor x = random({2, 9, 16}, 4);
  const Tensor whole = attention(x, rotary(9));
  nn::KvCache cache(1, {.heads = 2, .width = 4, .capacity = 9, .batch = 2});
  int64_t at = 0;
  for (const int64_t count : {3, 1, 4, 1}) {
    const Tensor part = slice(x, 1, at, at + count);
    const Tensor y = attention(part, cache.layers[0], at, rotary(count, at));
    expect_close(y, slice(whole, 1, at, at + count));
    at += count;
  }
  EXPECT_THROW(attention(slice(x, 1, 0, 1), cache.layers[0], 9), Error);
}

TEST(GroupedAttention, OneProgramServesAllLengths) {
  Generator generator(2);
  nn::GroupedQueryAttention attention = attention_of(generator);
  const Tensor x = random({1, 12, 16}, 4);
  const Tensor whole = attention(x);
  nn::KvCache cache(1, {.heads = 2, .width = 4, .capacity = 12});
  attention(slice(x, 1, 0, 2), cache.layers[0], 0);
  cache.length = 2;
  const auto step =
      ridge::compile([](const nn::GroupedQueryAttention& layer, nn::KvCache& past,
                        const Tensor& token) { return layer(token, past.layers[0], past.length); },
                     {.name = "step",
                      .argument_names = {"layer", "cache", "token"},
                      .dims = {{"cache.length", 0, Dim("length", 0, 11)}}});
  for (int64_t at = 2; at < 12; ++at) {
    expect_close(step(attention, cache, contiguous(slice(x, 1, at, at + 1))),
                 slice(whole, 1, at, at + 1));
    cache.length = at + 1;
  }
  EXPECT_EQ(step.programs().size(), 1U);
}

}  // namespace
}  // namespace ridge::testing::grouped_attention_test

#include <gtest/gtest.h>

#include "ridge/cost/roofline/attention.h"
#include "roofline_sheets.h"

namespace ridge::cost::roofline_operations_test {
namespace {

using namespace test;

TEST(Roofline, FlashAttentionKeepsScoresOnChip) {
  const Sheet sheet = h100();
  Query query = query_for(sheet, "attention", "B=2,H=4,S=4096,D=128");
  const Estimate flash = estimate("attention", query);
  query.algorithm = "naive";
  const Estimate naive = estimate("attention", query);
  const double side = 2.0 * 2 * 4 * 4096 * 128;  // bytes of Q, K, V or the output
  const double scores = 2.0 * 2 * 4 * 4096 * 4096;
  EXPECT_EQ(flash.bytes, 4 * side);
  EXPECT_EQ(naive.bytes, 4 * side + 4 * scores);
  EXPECT_EQ(naive.flops, flash.flops);
  EXPECT_EQ(flash.regime, Regime::compute);
  EXPECT_EQ(naive.regime, Regime::memory);
  EXPECT_FALSE(naive.crossover_batch);
  ASSERT_FALSE(naive.advice.empty());
  EXPECT_NEAR(naive.advice[0].gain_s, naive.lower_s - flash.lower_s, 1e-12);
  query.algorithm = "flesh";
  EXPECT_THROW(estimate("attention", query), Error);
}

TEST(Roofline, KeysThatDoNotStayInCacheAreReadAgain) {
  const AttentionShape shape{1, 1, 1, 1024, 1 << 20, 128, false};
  AttentionRates rates;
  rates.l2_bytes = 50e6;
  const ElementType bf16 = find_element_type("bf16");
  EXPECT_EQ(passes_over_keys(shape, rates, bf16, 128), 8);
  AttentionShape small = shape;
  small.keys = 4096;
  EXPECT_EQ(passes_over_keys(small, rates, bf16, 128), 1);
  rates.l2_bytes.reset();
  EXPECT_EQ(passes_over_keys(small, rates, bf16, 128), 8);
}

// Blocks of two rows over four queries and six keys end with keys 4 and 6: 10 reads of 6 keys.
TEST(Roofline, ACausalBlockReadsTheKeysItSees) {
  EXPECT_DOUBLE_EQ((AttentionShape{1, 1, 1, 4, 6, 8, true}.passes(2)), 10.0 / 6);
  EXPECT_DOUBLE_EQ((AttentionShape{1, 1, 1, 5, 5, 8, true}.passes(2)), (2.0 + 4 + 5) / 5);
  EXPECT_EQ((AttentionShape{1, 1, 1, 100, 100, 8, true}.passes(128)), 1);
  EXPECT_EQ((AttentionShape{1, 1, 1, 5, 5, 8, false}.passes(2)), 3);
  const Sheet sheet = h100();
  Query query = query_for(sheet, "attention", "B=1,H=8,S=131072,D=128");
  query.is_causal = true;
  const Estimate causal = estimate("attention", query);
  EXPECT_EQ(detail(causal, "passes_over_keys"), 512.5);
  EXPECT_EQ(causal.bytes, 256.75 * 0x1p30);
  EXPECT_EQ(detail(causal, "issued_bytes"), causal.bytes);
}

TEST(Roofline, HeadsThatShareKeysReadThemOnceAndSaySo) {
  const Sheet sheet = h100();
  Query query = query_for(sheet, "attention", "B=1,H=8,S=1024,D=128");
  EXPECT_EQ(notices_with(estimate("attention", query), "groups of heads"), 0);
  query.kv_heads = 2;
  const Estimate shared = estimate("attention", query);
  EXPECT_EQ(notices_with(shared, "2 groups of heads"), 1);
  const double head = 2.0 * 1024 * 128;  // bytes of one head of Q, K, V or the output
  EXPECT_EQ(shared.bytes, 2 * (8 + 2) * head);
  EXPECT_EQ(detail(shared, "issued_bytes"), 2 * (8 + 8 * 2) * head);
}

TEST(Roofline, CausalMasksLeaveTheLowerTriangle) {
  const AttentionShape shape{1, 1, 1, 4, 6, 8, true};
  EXPECT_EQ(shape.scores(), 3 + 4 + 5 + 6);
}

TEST(Roofline, ConvolutionIsAMatmulThatReadsItsImageOnce) {
  const Sheet sheet = h100();
  Query query = query_for(sheet, "convolution", "N=32,C=64,H=56,W=56,K=128,R=3,S=3");
  query.padding = 1;
  const Estimate convolution = estimate("convolution", query);
  const double pixels = 32 * 56 * 56;
  EXPECT_EQ(convolution.flops, 2 * pixels * 128 * 64 * 9);
  EXPECT_EQ(convolution.bytes, 2 * (pixels * 64 + 128 * 64 * 9 + pixels * 128));
  query.stride = 2;
  EXPECT_EQ(detail(estimate("convolution", query), "matmul_m"), 32 * 28 * 28);
  query.sizes = parse_sizes("1x1x2x2x1x5x5", find_operation("convolution").dimensions);
  EXPECT_THROW(estimate("convolution", query), Error);
}

TEST(Roofline, ABlockIsItsKernels) {
  const Sheet sheet = h100();
  Query query = query_for(sheet, "block", "B=4,S=2048,D=4096");
  const Estimate block = estimate("block", query);
  ASSERT_EQ(block.parts.size(), 7);
  const double tokens = 4 * 2048, width = 4096;
  double projections = 0;
  for (const Part& part : block.parts) {
    const bool is_matmul = part.name != "norm" && part.name != "flash attention";
    if (is_matmul) projections += part.flops;
  }
  EXPECT_EQ(projections, 24 * tokens * width * width);
  EXPECT_EQ(block.regime, Regime::compute);
  EXPECT_EQ(detail(block, "weights_per_layer"), 12 * width * width);
  query.layers = 3;
  EXPECT_DOUBLE_EQ(estimate("block", query).flops, 3 * block.flops);
  EXPECT_EQ(launches_of(estimate("block", query)), 21);
  query.sizes = query.sizes.with("D", 500);  // no multiple of 128: heads of 250
  EXPECT_GT(estimate("block", query).flops, 0);
}

// Divisors are looked for in pairs: a prime of nine digits takes no longer than its root.
TEST(Roofline, ABlockOfAnyWidthAnswersAtOnce) {
  const Sheet sheet = h100();
  const auto head_size = [&](const char* shape) {
    const Estimate block = estimate("block", query_for(sheet, "block", shape));
    for (const Part& part : block.parts) {
      if (part.name == "flash attention")
        return part.bytes / (4 * 2);  // q, k, v, output of a token
    }
    return 0.0;
  };
  EXPECT_EQ(head_size("B=1,S=1,D=179424673"), 179424673);
  for (const char* shape : {"B=1,S=1,D=1000000000039", "B=1,S=1,D=9007199254740881"}) {
    EXPECT_THROW(head_size(shape), Error) << shape;
  }
}

TEST(Roofline, DecodingWaitsForWeightsAndTheCache) {
  const Sheet sheet = h100();
  Query query = query_for(sheet, "decode", "B=1,S=4096,D=4096");
  query.kv_heads = 8;
  const Estimate one = estimate("decode", query);
  EXPECT_EQ(one.regime, Regime::memory);
  const double cache = 2.0 * 4096 * 8 * 128 * 2;
  EXPECT_EQ(detail(one, "cache_bytes"), cache);
  EXPECT_GT(one.bytes, detail(one, "weight_bytes") + cache);
  // Short caches leave a batch at which the weights are paid for; each sequence brings its own
  // long one, and no batch pays for those.
  query.sizes = parse_sizes("1x16x4096", find_operation("decode").dimensions);
  EXPECT_TRUE(estimate("decode", query).crossover_batch);
  query.sizes = parse_sizes("1x1048576x4096", find_operation("decode").dimensions);
  EXPECT_FALSE(estimate("decode", query).crossover_batch);
}

}  // namespace
}  // namespace ridge::cost::roofline_operations_test

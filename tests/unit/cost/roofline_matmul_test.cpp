#include <gtest/gtest.h>

#include <algorithm>

#include "ridge/cost/roofline/matmul_model.h"
#include "roofline_sheets.h"

namespace ridge::cost::roofline_matmul_test {
namespace {

using namespace test;

std::optional<double> crossover(const Sheet& sheet, double side, std::string_view dtype,
                                std::string_view weights, std::string_view output = "bf16") {
  const std::string size = whole_text(side);
  Query query = query_for(sheet, "matmul", "B=64,D=" + size + ",F=" + size, dtype);
  query.weights = find_element_type(weights);
  query.output = find_element_type(output);
  return estimate("matmul", query).crossover_batch;
}

TEST(RooflineMatmul, CountsFlopsAndBytes) {
  const Sheet sheet = tpu_v5e();
  const Estimate matmul = estimate("matmul", query_for(sheet, "matmul", "240x8192x4096"));
  EXPECT_EQ(matmul.flops, 2.0 * 240 * 8192 * 4096);
  EXPECT_EQ(matmul.bytes, 2.0 * (240 * 4096 + 4096 * 8192 + 240 * 8192));
  EXPECT_DOUBLE_EQ(matmul.intensity, matmul.flops / matmul.bytes);
  EXPECT_DOUBLE_EQ(*matmul.ridge, 197e12 / 8.1e11);
  EXPECT_DOUBLE_EQ(matmul.t_math_s, matmul.flops / 197e12);
  EXPECT_DOUBLE_EQ(matmul.t_comms_s, matmul.bytes / 8.1e11);
  EXPECT_EQ(matmul.lower_s, std::max(matmul.t_math_s, matmul.t_comms_s));
  EXPECT_DOUBLE_EQ(matmul.upper_s, matmul.t_math_s + matmul.t_comms_s);
  EXPECT_EQ(matmul.regime, Regime::memory);
}

TEST(RooflineMatmul, NamesAndPositionsOfSizesAgree) {
  const Sheet sheet = tpu_v5e();
  const Estimate by_place = estimate("matmul", query_for(sheet, "matmul", "240x8192x4096"));
  const Estimate by_name = estimate("matmul", query_for(sheet, "matmul", "F=8192,B=240,D=4096"));
  EXPECT_EQ(by_place.bytes, by_name.bytes);
  EXPECT_EQ(by_place.operation, by_name.operation);
}

// As D and F grow the bytes of activations vanish next to the weights, and the crossover tends to
// rate * weight bytes / (2 * bandwidth), whatever the output type.
TEST(RooflineMatmul, CrossesAtTheKnownBatchesForLargeWeights) {
  const Sheet sheet = tpu_v5e();
  const double large = 4e6;
  EXPECT_NEAR(*crossover(sheet, large, "bf16", "bf16"), 243.2, 0.1);
  EXPECT_NEAR(*crossover(sheet, large, "i8", "i8", "i8"), 243.2, 0.1);
  EXPECT_NEAR(*crossover(sheet, large, "i8", "i8", "bf16"), 243.2, 0.1);
  EXPECT_NEAR(*crossover(sheet, large, "bf16", "i8"), 121.6, 0.1);
}

TEST(RooflineMatmul, SmallWeightsCrossLaterOrNever) {
  const Sheet sheet = tpu_v5e();
  EXPECT_NEAR(*crossover(sheet, 4096, "bf16", "int8"), 138, 0.5);
  EXPECT_NEAR(*crossover(sheet, 1024, "bf16", "int8"), 231.6, 0.5);
  EXPECT_FALSE(crossover(sheet, 486, "bf16", "int8"));
  EXPECT_FALSE(crossover(sheet, 100, "bf16", "int8"));
  EXPECT_TRUE(crossover(sheet, 487, "bf16", "int8"));
}

TEST(RooflineMatmul, TheRegimeChangesAtTheCrossover) {
  const Sheet sheet = tpu_v5e();
  for (const auto& [batch, regime] :
       {std::pair{"137", Regime::memory}, std::pair{"138", Regime::compute}}) {
    Query query = query_for(sheet, "matmul", std::string("B=") + batch + ",D=4096,F=4096");
    query.weights = find_element_type("int8");
    EXPECT_EQ(estimate("matmul", query).regime, regime) << batch;
  }
}

TEST(RooflineMatmul, ComputesMixedTypesInTheWideOne) {
  const Sheet sheet = tpu_v5e();
  Query query = query_for(sheet, "matmul", "64x512x512");
  query.weights = find_element_type("int8");
  EXPECT_DOUBLE_EQ(estimate("matmul", query).t_math_s, 2.0 * 64 * 512 * 512 / 197e12);
  query.dtype = find_element_type("int8");
  EXPECT_DOUBLE_EQ(estimate("matmul", query).t_math_s, 2.0 * 64 * 512 * 512 / 394e12);
}

TEST(RooflineMatmul, BatchedWeightsAreMemoryBoundAtAnySize) {
  const Sheet sheet = tpu_v5e();
  for (const char* shape : {"1x64x64", "4096x512x512", "16x65536x16384"}) {
    const Estimate one =
        estimate("batched-weights", query_for(sheet, "batched-weights", shape, "int8"));
    EXPECT_LT(one.intensity, 2) << shape;
    EXPECT_EQ(one.regime, Regime::memory) << shape;
    EXPECT_FALSE(one.crossover_batch) << shape;
  }
  const Query large = query_for(sheet, "batched-weights", "16x65536x16384", "int8");
  EXPECT_NEAR(estimate("batched-weights", large).intensity, 2, 1e-3);
}

TEST(RooflineMatmul, BatchesOfMatmulsAreAsManyMatmuls) {
  const Sheet sheet = h100();
  const Estimate one = estimate("matmul", query_for(sheet, "matmul", "512x256x128"));
  const Estimate many = estimate("bmm", query_for(sheet, "bmm", "B=7,M=512,N=256,K=128"));
  EXPECT_EQ(many.flops, 7 * one.flops);
  EXPECT_EQ(many.bytes, 7 * one.bytes);
  EXPECT_FALSE(many.crossover_batch);
}

TEST(RooflineMatmul, CountsTilesAndWaves) {
  const Sheet a = a100(), h = h100();
  const auto tiling = [](const Sheet& sheet, const char* shape, Tile tile) {
    Query query = query_for(sheet, "matmul", shape);
    query.tile = tile;
    return *estimate("matmul", query).tiling;
  };
  EXPECT_EQ(tiling(a, "1792x1792x1792", {256, 128}).tiles, 98);
  EXPECT_EQ(tiling(a, "1792x1792x1792", {256, 128}).waves, 1);
  EXPECT_EQ(tiling(a, "1793x1793x1793", {256, 128}).tiles, 120);
  EXPECT_EQ(tiling(a, "1793x1793x1793", {256, 128}).waves, 2);
  EXPECT_EQ(tiling(h, "1793x1793x1793", {256, 128}).waves, 1);
  EXPECT_NEAR(tiling(a, "1793x1793x1793", {256, 128}).waste,
              1 - 1793.0 * 1793 / (2 * 108 * 256 * 128), 1e-12);
  const Sheet tpu = tpu_v5e();
  EXPECT_FALSE(tiling(tpu, "256x256x256", {128, 128}).waves);
  EXPECT_EQ(tiling(tpu, "256x256x256", {128, 128}).waste, 0);
}

TEST(RooflineMatmul, ChoosesATileWithTheLeastPredictedTime) {
  Sheet sheet = h100();
  sheet.figures["l2.read"].value = 5.5e12;
  for (const char* shape : {"4096x4096x4096", "1793x1793x1793", "64x4096x512", "8192x50257x768",
                            "16x16x16", "300x100000x64", "2048x2176x2176"}) {
    Query query = query_for(sheet, "matmul", shape);
    const Tiling chosen = *estimate("matmul", query).tiling;
    EXPECT_TRUE(chosen.is_chosen);
    for (const Tile tile : gpu_tiles()) {
      query.tile = tile;
      EXPECT_GE(estimate("matmul", query).tiling->predicted_s, chosen.predicted_s)
          << shape << " " << to_text(tile) << " against " << to_text(chosen.tile);
    }
  }
  Query large = query_for(sheet, "matmul", "4096x4096x4096");
  EXPECT_GE(estimate("matmul", large).tiling->tile.area(), 128 * 128);
}

TEST(RooflineMatmul, AdvisesWholeLines) {
  const Sheet sheet = h100();
  const Estimate odd = estimate("matmul", query_for(sheet, "matmul", "8192x50257x768"));
  const auto is_padding = [](const Advice& one) {
    return one.change == "pad N from 50257 to 50304";
  };
  const auto padding = std::ranges::find_if(odd.advice, is_padding);
  ASSERT_NE(padding, odd.advice.end());
  EXPECT_GT(padding->gain_s, 0.1 * odd.lower_s);
  const Estimate even = estimate("matmul", query_for(sheet, "matmul", "8192x50304x768"));
  EXPECT_NEAR(odd.tiling->predicted_s - padding->gain_s, even.tiling->predicted_s, 1e-12);
  for (const Advice& one : even.advice) EXPECT_EQ(one.change.find("pad"), std::string::npos);
  // Transposed weights have rows of K, and the output's rows still are of N.
  Query query = query_for(sheet, "matmul", "8192x50304x777");
  query.layout = parse_matmul_layout("nt");
  const Estimate transposed = estimate("matmul", query);
  EXPECT_EQ(transposed.alignments[1].dimension, "K");
  EXPECT_EQ(transposed.alignments[1].aligned_to, 2);
}

// Half a wave of tiles, and K in elements, however wide they are.
TEST(RooflineMatmul, SplitsKIntoPartsOfSomeLength) {
  const Sheet sheet = h100();
  const auto has_split = [&](const char* shape, const char* dtype) {
    Query query = query_for(sheet, "matmul", shape, dtype);
    query.tile = Tile{128, 128};
    const auto is_split = [](const Advice& one) { return one.change.starts_with("split K"); };
    return std::ranges::any_of(estimate("matmul", query).advice, is_split);
  };
  EXPECT_TRUE(has_split("256x256x65536", "bf16"));
  EXPECT_FALSE(has_split("256x256x511", "bf16"));
  EXPECT_FALSE(has_split("256x256x511", "i8"));
}

TEST(RooflineMatmul, AdviceIsSortedAndGains) {
  const Sheet sheet = h100();
  const Estimate small = estimate("matmul", query_for(sheet, "matmul", "8x4096x4096"));
  ASSERT_FALSE(small.advice.empty());
  EXPECT_TRUE(std::ranges::is_sorted(small.advice, std::greater(), &Advice::gain_s));
  for (const Advice& one : small.advice) EXPECT_GT(one.gain_s, 0) << one.change;
}

TEST(RooflineMatmul, LaunchesLongerThanTheWorkAreOverhead) {
  const Sheet sheet = a100();
  EXPECT_EQ(estimate("matmul", query_for(sheet, "matmul", "64x64x64")).regime, Regime::overhead);
  EXPECT_EQ(estimate("matmul", query_for(sheet, "matmul", "8192x8192x8192")).regime,
            Regime::compute);
}

TEST(RooflineMatmul, NamesAbsentFigures) {
  const Sheet sheet = a100();
  const Estimate f32 = estimate("matmul", query_for(sheet, "matmul", "64x64x64", "f32"));
  EXPECT_NE(f32.notices.at(0).find("matrix.f32"), std::string::npos);
  EXPECT_DOUBLE_EQ(f32.t_math_s, 2.0 * 64 * 64 * 64 / 19.5e12);
  try {
    estimate("matmul", query_for(sheet, "matmul", "64x64x64", "f8"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("matrix.f8"), std::string::npos);
  }
}

}  // namespace
}  // namespace ridge::cost::roofline_matmul_test

// Rates as outputs name them, and what the kind of a device decides.
#include <gtest/gtest.h>

#include "ridge/cost/roofline/matmul_model.h"
#include "ridge/cost/sheets.h"
#include "roofline_sheets.h"

namespace ridge::cost::roofline_rates_test {
namespace {

using namespace test;

TEST(RooflineRates, ReadInTheUnitOfTheirFigure) {
  EXPECT_EQ(to_text(Rate{989e12, "matrix.bf16"}), "matrix.bf16 989 TFLOP/s");
  EXPECT_EQ(to_text(Rate{4.8e12, "dram.peak"}), "dram.peak 4.8 TB/s");
  EXPECT_EQ(to_text(Rate{50e9, "link.device, 1 of 4 links"}), "link.device, 1 of 4 links 50 GB/s");
  EXPECT_EQ(to_text(Rate{9.75e12, "vector.f32.fma / 2"}), "vector.f32.fma / 2 9.75 TFLOP/s");
}

TEST(RooflineRates, AttentionNamesTheUnitThatDecides) {
  const Sheet sheet = h100();
  const auto rate_of = [&](const char* shape, const char* algorithm, size_t which) {
    Query query = query_for(sheet, "attention", shape);
    query.algorithm = algorithm;
    return estimate("attention", query).rates.at(which);
  };
  // 4 D flops of products at 989 TFLOP/s against an exponential at 3.9 TOP/s: equal at D = 63.4.
  EXPECT_TRUE(rate_of("B=8,H=32,S=4096,D=128", "flash", 0).starts_with("matrix.bf16"));
  EXPECT_TRUE(rate_of("B=8,H=32,S=4096,D=32", "flash", 0).starts_with("special.f32"));
  EXPECT_TRUE(rate_of("B=8,H=32,S=4096,D=32", "flash", 1).starts_with("dram.peak"));
  EXPECT_TRUE(rate_of("B=8,H=32,S=4096,D=128", "naive", 0).starts_with("matrix.bf16"));
  EXPECT_TRUE(rate_of("B=8,H=32,S=4096,D=128", "naive", 1).starts_with("special.f32"));
}

// Nobody multiplies two vectors on the matrix unit: the vector unit binds, with or without FMA.
TEST(RooflineRates, ADotIsBoundByTheVectorUnit) {
  const auto sheet = find_sheet("tpu-v5e");
  const Estimate dot = estimate("dot", query_for(*sheet, "dot", "1000000"));
  EXPECT_TRUE(dot.rates.at(0).starts_with("vector.f32 ")) << dot.rates.at(0);
  EXPECT_NEAR(*dot.ridge, 7.4, 0.1);
  EXPECT_EQ(notices_with(dot, "vector.f32, of units that are not known to have FMA"), 1);
}

TEST(RooflineRates, MatrixUnitsOfV6eAreWider) {
  Sheet sheet = tpu_v5e();
  const auto tile = [&] {
    return estimate("matmul", query_for(sheet, "matmul", "512x512x512")).tiling->tile;
  };
  EXPECT_EQ(tile(), (Tile{128, 128}));
  sheet.name = "tpu-v6e";
  EXPECT_EQ(tile(), (Tile{256, 256}));
  sheet.name = "mine";
  sheet.of = "tpu-v6e";
  EXPECT_EQ(tile(), (Tile{256, 256}));
}

TEST(RooflineRates, AConvolutionShowsTheRowsThatSlowIt) {
  const Sheet sheet = h100();
  const Estimate odd =
      estimate("convolution", query_for(sheet, "convolution", "32x63x56x56x65x3x3"));
  ASSERT_EQ(odd.alignments.size(), 3);
  EXPECT_EQ(odd.alignments[0].dimension, "C R S");
  EXPECT_EQ(odd.alignments[0].row_bytes, 2 * 63 * 9);
  EXPECT_EQ(odd.alignments[1].dimension, "K");
  EXPECT_EQ(odd.alignments[1].aligned_to, 2);
}

}  // namespace
}  // namespace ridge::cost::roofline_rates_test

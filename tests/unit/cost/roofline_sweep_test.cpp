#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "ridge/base/text.h"
#include "ridge/cost/price.h"
#include "ridge/cost/roofline/sweep.h"
#include "ridge/cost/sheets.h"
#include "roofline_sheets.h"

namespace ridge::cost::roofline_sweep_test {
namespace {

using namespace test;

Query matmuls(const Sheet& sheet, std::optional<Tile> tile) {
  Query query;
  query.sheet = &sheet;
  query.tile = tile;
  return query;
}

bool has_drop(const MatmulSweep& sweep, double n, DropCause cause) {
  return std::ranges::any_of(sweep.drops, [&](const MatmulDrop& drop) {
    return drop.n == n && drop.cause == cause && drop.loss > 0;
  });
}

TEST(Sweep, UnitsSuitTheDevice) {
  EXPECT_EQ(flops_unit(989e12).name, "TFLOP/s");
  EXPECT_EQ(flops_unit(140e9).name, "GFLOP/s");
  EXPECT_EQ(flops_unit(140e9).per_second, 1e9);
  EXPECT_EQ(flops_unit(3e6).name, "MFLOP/s");
}

TEST(Sweep, AttributesDrops) {
  const Sheet sheet = a100();
  const MatmulSweep sweep = sweep_matmul(matmuls(sheet, Tile{256, 128}), {1700, 1900, 1});
  ASSERT_EQ(sweep.points.size(), 201);
  EXPECT_TRUE(has_drop(sweep, 1793, DropCause::wave));
  EXPECT_TRUE(has_drop(sweep, 1793, DropCause::alignment));
  EXPECT_TRUE(has_drop(sweep, 1801, DropCause::alignment));
  EXPECT_FALSE(has_drop(sweep, 1801, DropCause::wave));
  // Without waves a begun tile is what shows.
  const Sheet tpu = tpu_v5e();
  const MatmulSweep tiles = sweep_matmul(matmuls(tpu, std::nullopt), {1020, 1030, 1});
  EXPECT_TRUE(has_drop(tiles, 1025, DropCause::tile));
  EXPECT_EQ(tiles.drops.size(), 1);
}

// Also where the tile changes, and a better one makes up for most of what alignment takes.
TEST(Sweep, SharesOfADropAddUpToIt) {
  Sheet with_l2 = h100();
  with_l2.figures["l2.read"].value = 5.5e12;
  with_l2.figures["cluster"].value = 2;
  const Sheet without = a100();
  for (const Sheet* sheet : {static_cast<const Sheet*>(&with_l2), &without}) {
    const MatmulSweep sweep = sweep_matmul(matmuls(*sheet, std::nullopt), {1000, 2100, 1});
    size_t drops = 0;
    for (size_t i = 1; i < sweep.points.size(); ++i) {
      const MatmulPoint& point = sweep.points[i];
      const double loss = 1 - point.flops_per_s / sweep.points[i - 1].flops_per_s;
      double shares = 0;
      for (const MatmulDrop& drop : sweep.drops) {
        if (drop.n != point.n) continue;
        EXPECT_GT(drop.loss, 0);
        shares += drop.loss;
      }
      EXPECT_NEAR(shares, loss >= 0.01 ? loss : 0, 1e-12) << point.n;
      drops += loss >= 0.01 ? 1 : 0;
    }
    EXPECT_GT(drops, 50);
  }
}

// Of 1584 to 1585 only rows change; that another tile is then better does not make it the cause.
TEST(Sweep, ATileChosenForItsAlignmentIsNotTheCause) {
  const auto sheet = find_sheet("h200");
  const MatmulSweep sweep = sweep_matmul(matmuls(*sheet, std::nullopt), {1584, 1585, 1});
  EXPECT_FALSE(sweep.points[0].tile == sweep.points[1].tile);
  ASSERT_EQ(sweep.drops.size(), 1);
  EXPECT_EQ(sweep.drops[0].cause, DropCause::alignment);
  EXPECT_NEAR(sweep.drops[0].loss, 1 - sweep.points[1].flops_per_s / sweep.points[0].flops_per_s,
              1e-12);
}

TEST(Sweep, AgreesWithTheCalculator) {
  const Sheet sheet = h100();
  const MatmulSweep sweep = sweep_matmul(matmuls(sheet, std::nullopt), {1000, 1001, 1});
  const Estimate one = estimate("matmul", query_for(sheet, "matmul", "1000x1000x1000"));
  EXPECT_EQ(sweep.points[0].predicted_s, one.tiling->predicted_s);
  EXPECT_EQ(sweep.points[0].tile, one.tiling->tile);
  for (const MatmulPoint& point : sweep.points) {
    EXPECT_LE(point.flops_per_s, sweep.peak_flops_per_s);
    EXPECT_FALSE(point.measured_s);
  }
}

// The calculator, the sweep and the price of a library call are asked the same question.
TEST(Sweep, OneModelAnswersForShippedSheets) {
  for (const char* device : {"h200", "a100-80", "b200"}) {
    const auto sheet = find_sheet(device);
    for (const double n : {512.0, 1023.0, 1793.0, 4096.0}) {
      const std::string shape = concat(n, "x", n, "x", n);
      const Estimate asked = estimate("matmul", query_for(*sheet, "matmul", shape));
      const MatmulPoint swept = sweep_matmul(matmuls(*sheet, std::nullopt), {n, n, 1}).points[0];
      const ProductShape product{.m = n,
                                 .n = n,
                                 .k = n,
                                 .operand = bf16,
                                 .result = bf16,
                                 .is_aligned = std::fmod(n, 8) == 0};
      const Price price = *price_library_product(product, *sheet, {.resident = 6 * n * n});
      EXPECT_DOUBLE_EQ(*asked.predicted_s, price.predicted) << device << " " << n;
      EXPECT_DOUBLE_EQ(asked.floor_s, price.floor) << device << " " << n;
      EXPECT_DOUBLE_EQ(swept.predicted_s, price.predicted) << device << " " << n;
      EXPECT_DOUBLE_EQ(swept.floor_s, price.floor) << device << " " << n;
    }
  }
  // Measured: 113.7 us by cuBLAS, where all rows start at odd multiples of 2 bytes.
  const auto h200 = find_sheet("h200");
  const Estimate odd = estimate("matmul", query_for(*h200, "matmul", "1793x1793x1793"));
  EXPECT_NEAR(*odd.predicted_s, 113.7e-6, 0.15 * 113.7e-6);
  EXPECT_LT(odd.floor_s, 113.7e-6);
}

TEST(Sweep, ClassesHoldEachPointOnce) {
  const Sheet sheet = h100();
  const MatmulSweep sweep = sweep_matmul(matmuls(sheet, std::nullopt), {1024, 2047, 1});
  double points = 0;
  for (const DivisorClass& one : sweep.classes) points += one.points;
  EXPECT_EQ(points, 1024);
  ASSERT_EQ(sweep.classes.size(), 7);  // 1 to 64
  EXPECT_EQ(sweep.classes[0].points, 512);
  EXPECT_GT(sweep.classes[6].mean_flops_per_s, sweep.classes[0].mean_flops_per_s);
}

TEST(Sweep, RepeatingIsFreeUntilTheKnee) {
  const Sheet sheet = a100();
  Query query = query_for(sheet, "pointwise", "16777216", "f32");
  query.is_fma = true;
  const RepeatSweep sweep = sweep_repeat(query, {1, 512, 1});
  EXPECT_NEAR(sweep.knee_flops, 104, 1e-9);
  EXPECT_NEAR(sweep.knee_repeat, 52, 1e-9);
  EXPECT_EQ(sweep.points[0].seconds, sweep.points[50].seconds);
  EXPECT_GT(sweep.points[52].seconds, sweep.points[50].seconds);
  EXPECT_DOUBLE_EQ(sweep.points[511].flops_per_s, 19.5e12);
  EXPECT_DOUBLE_EQ(sweep.points[0].bytes_per_s, 1.5e12);
}

TEST(Sweep, RefusesEmptyAndEndlessRanges) {
  const Sheet sheet = h100();
  const Query query = matmuls(sheet, std::nullopt);
  EXPECT_THROW(sweep_matmul(query, {0, 8, 1}), Error);
  EXPECT_THROW(sweep_matmul(query, {9, 8, 1}), Error);
  EXPECT_THROW(sweep_matmul(query, {1, 8, 0}), Error);
  EXPECT_THROW(sweep_matmul(query, {1, 1e9, 1}), Error);
}

}  // namespace
}  // namespace ridge::cost::roofline_sweep_test

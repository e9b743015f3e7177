// The order that the price gives mappings of the H200, against what prototypes measured there. Names of
// tests say what was measured. Orders are held, and few times, loosely: the constants were chosen near them.
#include <gtest/gtest.h>

#include "product_works.h"
#include "ridge/base/text.h"
#include "ridge/cost/sheets.h"
#include "ridge/mapping/choose.h"

namespace ridge::mapping::rank_test {
namespace {

const cost::Sheet& h200() {
  static const std::shared_ptr<const cost::Sheet> sheet = cost::find_sheet("h200");
  return *sheet;
}

// Seconds of a tile, with the stages and the order of tiles that candidates have.
double seconds(const Work& work, int rows, int columns, Consumers consumers, int split = 1) {
  for (const Mapping& mapping : enumerate(work, cost::device_limits(&h200())).kept) {
    const auto& p = std::get<Product>(mapping.family);
    const bool is_it = p.unit == MatrixUnit::wgmma && p.rows == rows && p.columns == columns &&
                       p.consumers == consumers && p.split == split;
    if (is_it) return cost::price(demand_of(mapping, work, h200()), h200()).price.predicted;
  }
  ADD_FAILURE() << "no candidate of " << rows << "x" << columns;
  return 0;
}
constexpr Consumers kTogether = Consumers::cooperative, kInTurns = Consumers::ping_pong;

Product best(const Work& work) {
  return std::get<Product>(choose(work, h200()).best.value().mapping.family);
}

TEST(MappingRank, WavesDecideAt4096) {
  const Work work = forward(4096, 4096, 4096);
  EXPECT_LT(seconds(work, 128, 256, kTogether), 0.97 * seconds(work, 128, 192, kInTurns));
  EXPECT_NEAR(seconds(work, 256, 128, kTogether) / seconds(work, 128, 256, kTogether), 1, 0.02);
}

TEST(MappingRank, ShortKHidesItsEpilogue) {
  for (const Work& work : {forward(16384, 3072, 768), forward(50432, 2304, 768),
                           forward(16384, 50304, 768), forward(50432, 3072, 768)}) {
    EXPECT_LT(seconds(work, 128, 192, kInTurns), seconds(work, 128, 256, kTogether));
    EXPECT_EQ(best(work).consumers, kInTurns);
  }
}

TEST(MappingRank, LongKNeedsNoTurns) {
  const Work work = forward(16384, 768, 3072);
  EXPECT_NEAR(seconds(work, 128, 192, kInTurns) / seconds(work, 128, 256, kTogether), 1, 0.03);
  EXPECT_EQ(best(forward(4096, 4096, 4096)).consumers, kTogether);
  EXPECT_EQ(best(forward(8192, 8192, 8192)).consumers, kTogether);
}

TEST(MappingRank, WeightGradientsFillOneWaveBy144Columns) {
  const Work gradient = weight_gradient(768, 3072, 16384);
  const double filled = seconds(gradient, 128, 144, kTogether);
  EXPECT_LT(filled, 0.95 * seconds(gradient, 128, 192, kInTurns));   // measured 1.0 : 0.89
  EXPECT_LT(filled, 0.85 * seconds(gradient, 128, 256, kTogether));  // 1.0 : 0.64
  EXPECT_NEAR(filled / seconds(gradient, 128, 160, kTogether), 1, 0.03);
  for (const Work& work : {gradient, forward(768, 3072, 16384)}) {
    const Product p = best(work);
    EXPECT_EQ(p.rows, 128);
    EXPECT_EQ(p.columns, 144);
    EXPECT_EQ(p.split, 1);
  }
}

TEST(MappingRank, SmallProblemsTakeTheTileThatFillsTheSms) {
  const Work at_1536 = forward(1536, 1536, 1536), at_1792 = forward(1792, 1792, 1792);
  EXPECT_EQ(best(at_1536).columns, 144);
  EXPECT_LT(seconds(at_1536, 128, 192, kInTurns), seconds(at_1536, 128, 256, kTogether));
  EXPECT_EQ(best(at_1792).columns, 208);
  EXPECT_LT(seconds(at_1792, 128, 208, kTogether), seconds(at_1792, 128, 256, kTogether));
  EXPECT_EQ(best(forward(1024, 1024, 1024)).columns, 64);
  EXPECT_EQ(best(forward(2048, 2048, 2048)).columns, 256);
}

TEST(MappingRank, FewTilesOfLongKAreSplit) {
  const Work work = weight_gradient(768, 768, 16384);
  EXPECT_LT(seconds(work, 128, 160, kTogether, 4), 0.7 * seconds(work, 128, 128, kTogether));
  EXPECT_EQ(best(work).split, 4);
}

TEST(MappingRank, OddOperandsAreRealigned) {
  for (const double size : {1793.0, 4097.0}) {
    const Choice choice = choose(odd(size, size, size), h200());
    EXPECT_EQ(choice.best->mapping.alignment, Alignment::realigned);
    EXPECT_EQ(std::get<Product>(choice.best->mapping.family).unit, MatrixUnit::wgmma);
    // Beside the library, which takes them as they lie.
    const auto library = cost::price_library_product(
        {.m = size, .n = size, .k = size, .operand = bf16, .result = bf16, .is_aligned = false},
        h200());
    EXPECT_LT(3 * choice.best->price.price.predicted, library->predicted);
  }
}

TEST(MappingRank, ConstantOperandsAreRealignedForNothing) {
  Work work = odd(1793, 1793, 1793);
  const double copied = choose(work, h200()).best->price.price.predicted;
  work.lhs.owner = work.rhs.owner = PitchOwner::constant;
  EXPECT_LT(choose(work, h200()).best->price.price.predicted, copied);
}

TEST(MappingRank, OnlyTheResultOf50257IsOdd) {
  Work work = forward(16384, 50257, 768);
  work.results[0].alignment = 2;
  const Choice choice = choose(work, h200());
  EXPECT_EQ(choice.best->mapping.alignment, Alignment::given);
  EXPECT_EQ(std::get<Product>(choice.best->mapping.family).store, StoreWay::elements);
  EXPECT_GT(choice.best->price.price.predicted,
            choose(forward(16384, 50304, 768), h200()).best->price.price.predicted);
}

TEST(MappingRank, AnOddMultipleOf16BytesIsSlowerThanAPaddedPitch) {
  Work work = forward(4096, 4096, 4096);
  const double aligned = choose(work, h200()).best->price.price.predicted;
  work.lhs.alignment = work.rhs.alignment = 16;
  EXPECT_LT(1.05 * aligned, seconds(work, 128, 256, kTogether));
  work.lhs.owner = work.rhs.owner = PitchOwner::program;
  EXPECT_EQ(choose(work, h200()).best->mapping.alignment, Alignment::padded);
}

TEST(MappingRank, HeavyEpiloguesWantTurns) {
  // Bias and GELU in its tanh form: cooperative +19 to 23 %, in turns +6 to 13 %.
  Work work = forward(16384, 3072, 768);
  const double plain = seconds(work, 128, 256, kTogether),
               hidden = seconds(work, 128, 192, kInTurns);
  work.epilogue = {.column_loads = 1, .flops = 10, .special_functions = 1};
  EXPECT_GT(seconds(work, 128, 256, kTogether), 1.1 * plain);
  EXPECT_LT(seconds(work, 128, 192, kInTurns), 1.1 * hidden);
}

TEST(MappingRank, PredictionsAreCloseToWhatPrototypesTook) {
  struct Measured {
    Work work;
    int rows, columns;
    Consumers consumers;
    double us;
  };
  const Measured kMeasured[] = {
      {forward(16384, 3072, 768), 128, 256, kTogether, 128},
      {forward(16384, 3072, 768), 128, 192, kInTurns, 121},
      {forward(16384, 768, 3072), 128, 256, kTogether, 109},
      {forward(4096, 4096, 4096), 128, 256, kTogether, 188.5},
      {forward(4096, 4096, 4096), 128, 192, kInTurns, 203},
      {forward(1536, 1536, 1536), 128, 144, kTogether, 17.2},
      {forward(1024, 1024, 1024), 128, 64, kTogether, 7.9},
  };
  for (const Measured& m : kMeasured) {
    const double us = 1e6 * seconds(m.work, m.rows, m.columns, m.consumers);
    EXPECT_NEAR(us / m.us, 1, 0.25) << m.rows << "x" << m.columns << ": " << us << " for " << m.us;
  }
}

}  // namespace
}  // namespace ridge::mapping::rank_test

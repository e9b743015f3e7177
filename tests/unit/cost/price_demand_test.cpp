// The time of kernels in tiles, on a sheet of round numbers.
#include <gtest/gtest.h>

#include <algorithm>

#include "ridge/base/error.h"
#include "ridge/cost/demand.h"

namespace ridge::cost::price_demand_test {
namespace {

// Ten SMs of 1 TFLOP/s and 100 GB/s from L2 each; 1 TB/s of memory, kernels that launch in no time.
Sheet sheet() {
  return parse_sheet(R"(ridge-sheet 1
name     tiles
title    round numbers
kind     gpu
version  2026-01-01
source   us  "made up for a test"  2026-01-01
figure   matrix.bf16            10 TFLOP/s dense accumulate=f32 source=us
figure   sustained.bf16         1000 TFLOP/s source=us
figure   shared.read            100 TB/s source=us
figure   dram.read              1000 TB/s source=us
figure   dram.write             1000 TB/s source=us
figure   l2.read                1 TB/s source=us
figure   units                  10 source=us
)",
                     "tiles.sheet");
}
// Four tiles of 1 us each, one behind the other.
Demand tiles() {
  Demand demand;
  demand.tile_flops = {1e6, "1e6"};
  demand.epilogue_seconds = {0.5e-6, "a half"};
  demand.flops = {40e6, "40 tiles"};
  demand.waves = {4, "40 / 10"};
  return demand;
}
double path(const Demand& demand) { return price(demand, sheet()).path; }

TEST(DemandPrice, WavesAddUpWithTheirEpilogues) {
  EXPECT_NEAR(path(tiles()), 4 * 1.5e-6, 1e-12);
  Demand filled = tiles();
  filled.fill_seconds = {0.7e-6, "latency"};
  EXPECT_NEAR(path(filled), 4 * 1.5e-6 + 0.7e-6, 1e-12);
}

TEST(DemandPrice, AHiddenEpilogueIsSeenOnce) {
  Demand hidden = tiles();
  hidden.hides_epilogue = true;
  EXPECT_NEAR(path(hidden), 4 * 1e-6 + 0.5e-6, 1e-12);
  hidden.epilogue_seconds.value =
      3e-6;  // longer than the main loop: two warpgroups hide half of it
  EXPECT_NEAR(path(hidden), 4 * 2e-6 + 3e-6, 1e-12);
}

TEST(DemandPrice, TheSlowestResourceOfATileBinds) {
  Demand demand = tiles();
  demand.tile_l2_bytes = {300e3, "300 kB"};
  const DemandPrice p = price(demand, sheet());
  EXPECT_NEAR(p.tile, 3e-6, 1e-12);
  EXPECT_EQ(p.price.limiter, Resource::l2);
  demand.tile_l2_bytes.value = 0;
  EXPECT_EQ(price(demand, sheet()).price.limiter, Resource::matrix);
  EXPECT_NE(p.to_text().find("4 waves * ("), std::string::npos);
  EXPECT_NE(p.to_text().find("bound by l2"), std::string::npos);
}

TEST(DemandPrice, PowerAndMemoryHoldAllOfIt) {
  Demand demand = tiles();
  demand.flops.value = 1e11;
  DemandPrice p = price(demand, sheet());
  EXPECT_NEAR(p.power, 1e-4, 1e-9);
  EXPECT_NEAR(p.price.predicted, 1e-4, 1e-6);
  EXPECT_EQ(p.price.limiter, Resource::matrix);
  demand.dram_written.value = 1e12;
  p = price(demand, sheet());
  EXPECT_NEAR(p.memory, 1e-3, 1e-6);
  EXPECT_EQ(p.price.limiter, Resource::dram_write);
}

TEST(DemandPrice, WithoutASustainedRateThePeakHolds) {
  Sheet without = sheet();
  without.figures.erase("sustained.bf16");
  const DemandPrice p = price(tiles(), without);
  EXPECT_NEAR(p.power, 4e-6, 1e-12);
  EXPECT_EQ(std::ranges::count(p.price.absent, "sustained.bf16"), 1);
  without.figures.erase("matrix.bf16");
  EXPECT_THROW(price(tiles(), without), Error);
}

}  // namespace
}  // namespace ridge::cost::price_demand_test

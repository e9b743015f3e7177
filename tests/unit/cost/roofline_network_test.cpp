#include <gtest/gtest.h>

#include "ridge/cost/roofline/collective.h"
#include "roofline_sheets.h"

namespace ridge::cost::roofline_network_test {
namespace {

using namespace test;

std::optional<double> crossover(const Estimate& estimate, std::string_view dimension) {
  for (const Crossover& one : estimate.crossovers) {
    if (one.dimension == dimension) return one.at;
  }
  ADD_FAILURE() << dimension;
  return std::nullopt;
}

// 2 B D F / (2 C) of math against 2 B F bytes over W: D > 2 C / W.
TEST(RooflineNetwork, ASumSplitOverTwoDevicesIsComputeBoundFromItsLength) {
  const Sheet sheet = tpu_v5e();
  Query query = query_for(sheet, "sharded", "B=8192,D=8192,F=8192");
  query.devices = 2;
  query.split = "D";
  const Estimate below = estimate("sharded", query);
  EXPECT_NEAR(*crossover(below, "K"), 2 * 197e12 / 45e9, 1e-6);
  EXPECT_NEAR(*crossover(below, "K"), 8755.6, 0.1);
  EXPECT_EQ(below.regime, Regime::network);
  EXPECT_DOUBLE_EQ(below.t_math_s, 2.0 * 8192 * 8192 * 8192 / 2 / 197e12);
  EXPECT_DOUBLE_EQ(below.t_network_s, 2.0 * 8192 * 8192 / 45e9);
  query.sizes = query.sizes.with("K", 8756);
  EXPECT_EQ(estimate("sharded", query).regime, Regime::compute);
}

TEST(RooflineNetwork, SplitsExchangeWhatTheyMust) {
  const Sheet sheet = h100();
  Query query = query_for(sheet, "sharded", "B=1024,D=4096,F=2048");
  query.devices = 8;
  query.split = "B";
  EXPECT_DOUBLE_EQ(estimate("sharded", query).network_bytes, 2.0 * 4096 * 2048 * 7 / 8);
  query.split = "F";
  EXPECT_DOUBLE_EQ(estimate("sharded", query).network_bytes, 2.0 * 1024 * 2048 * 7 / 8);
  query.split = "D";
  query.algorithm = "ring";
  EXPECT_DOUBLE_EQ(estimate("sharded", query).network_bytes, 2 * 2.0 * 1024 * 2048 * 7 / 8);
  query.split = "Q";
  EXPECT_THROW(estimate("sharded", query), Error);
}

TEST(RooflineNetwork, CollectivesOfAnNvlinkDomain) {
  const Sheet sheet = h100();
  Query query = query_for(sheet, "all-reduce", "1024x1024");
  query.devices = 8;
  const double array = 2.0 * 1024 * 1024, link = 450e9;
  const auto seconds = [&](std::string_view name) {
    const Estimate one = estimate(name, query);
    EXPECT_EQ(one.regime, Regime::network) << name;
    return one.t_network_s;
  };
  EXPECT_DOUBLE_EQ(seconds("all-gather"), array * 7 / 8 / link);
  EXPECT_DOUBLE_EQ(seconds("reduce-scatter"), array * 7 / 8 / link);
  EXPECT_DOUBLE_EQ(seconds("all-reduce"), array / link);  // added in the switch
  EXPECT_DOUBLE_EQ(seconds("all-to-all"), array * 7 / 64 / link);
  query.algorithm = "ring";
  EXPECT_DOUBLE_EQ(seconds("all-reduce"), 2 * array * 7 / 8 / link);
  EXPECT_FALSE(estimate("all-reduce", query).advice.empty());
}

TEST(RooflineNetwork, OnlyAnAllReduceIsAddedInTheSwitch) {
  const Sheet sheet = h100();
  Query query = query_for(sheet, "all-reduce", "1024x1024");
  query.devices = 8;
  const auto is_said = [&](std::string_view name) {
    return estimate(name, query).operation.find("added in the switch") != std::string::npos;
  };
  EXPECT_TRUE(is_said("all-reduce"));
  for (const char* name : {"all-gather", "reduce-scatter", "all-to-all"}) {
    EXPECT_FALSE(is_said(name)) << name;
  }
  // Seven eighths of the array, from each of seven others an eighth.
  const double added = 1024.0 * 1024 * 7 / 8;
  EXPECT_EQ(estimate("all-reduce", query).flops, 0);
  EXPECT_EQ(estimate("reduce-scatter", query).flops, added);
  EXPECT_EQ(estimate("all-gather", query).flops, 0);
  query.algorithm = "ring";
  EXPECT_FALSE(is_said("all-reduce"));
  EXPECT_EQ(estimate("all-reduce", query).flops, added);
}

TEST(RooflineNetwork, CollectivesOfATorusAxis) {
  const Sheet sheet = tpu_v5e();
  Query query = query_for(sheet, "all-gather", "1024x1024");
  query.devices = 16;
  const double array = 2.0 * 1024 * 1024, both_ways = 90e9;
  const auto seconds = [&](std::string_view name) { return estimate(name, query).t_network_s; };
  EXPECT_DOUBLE_EQ(seconds("all-gather"), array * 15 / 16 / both_ways);
  EXPECT_DOUBLE_EQ(seconds("all-reduce"), 2 * array * 15 / 16 / both_ways);
  EXPECT_DOUBLE_EQ(seconds("all-to-all"), array / 4 / both_ways);
  query.axes = 2;
  EXPECT_DOUBLE_EQ(seconds("all-gather"), array * 15 / 16 / (2 * both_ways));
  query.axes = 3;
  EXPECT_THROW(seconds("all-gather"), Error);
  query.axes = 1;
  query.is_open = true;
  EXPECT_DOUBLE_EQ(seconds("all-gather"), array * 15 / 16 / 45e9);
}

// Hops between two devices on average: a ring of 16 has 4, one of 5 has 6/5, a 4x4 torus 1 + 1.
TEST(RooflineNetwork, AllToAllPassesTheMeanDistance) {
  const Sheet sheet = tpu_v5e();
  Query query = query_for(sheet, "all-to-all", "1024x1024");
  const double array = 2.0 * 1024 * 1024, link = 45e9;
  const auto seconds = [&](double devices, double axes, bool is_open = false) {
    query.devices = devices;
    query.axes = axes;
    query.is_open = is_open;
    return estimate("all-to-all", query).t_network_s;
  };
  EXPECT_DOUBLE_EQ(seconds(2, 1), array / 4 / link);
  EXPECT_DOUBLE_EQ(seconds(16, 1), array / 16 * 4 / (2 * link));
  EXPECT_DOUBLE_EQ(seconds(5, 1), array / 5 * 1.2 / (2 * link));
  EXPECT_DOUBLE_EQ(seconds(16, 2), array / (32 * link));
  EXPECT_DOUBLE_EQ(seconds(25, 2), array / 25 * 2.4 / (4 * link));
  EXPECT_DOUBLE_EQ(seconds(4, 2), array / 4 * 1 / (2 * link));  // 2x2: one link along each axis
  // A quarter of the array crosses the links in the middle each way: one, or four in parallel.
  EXPECT_DOUBLE_EQ(seconds(16, 1, true), array / 4 / link);
  EXPECT_DOUBLE_EQ(seconds(16, 2, true), array / 4 / (4 * link));
  // A torus of 2x4 has cuts of 4 links: unequal axes take longer than the bound, which says so.
  EXPECT_LE(seconds(8, 2), array / 4 / (4 * link));
  EXPECT_EQ(notices_with(estimate("all-to-all", query), "no 2 equal axes"), 1);
  EXPECT_THROW(seconds(2, 2), Error);
}

TEST(RooflineNetwork, SizesThatDoNotDivideAreRoundedUpAndSaySo) {
  const Sheet sheet = h100();
  Query query = query_for(sheet, "sharded", "8x8x9");
  query.devices = 2;
  query.split = "K";
  const Estimate uneven = estimate("sharded", query);
  EXPECT_EQ(uneven.flops, 2.0 * 8 * 8 * 5);
  EXPECT_EQ(notices_with(uneven, "K = 9 does not divide by 2"), 1);
  query.sizes = query.sizes.with("K", 10);
  EXPECT_EQ(notices_with(estimate("sharded", query), "does not divide"), 0);
  query.devices = 16;
  EXPECT_THROW(estimate("sharded", query), Error);
}

TEST(RooflineNetwork, SwitchesHaveNoAxes) {
  const Sheet sheet = h100();
  Query query = query_for(sheet, "all-reduce", "1024x1024");
  query.devices = 8;
  query.axes = 2;
  EXPECT_THROW(estimate("all-reduce", query), Error);
  query.axes = 1;
  query.is_open = true;
  EXPECT_THROW(estimate("all-reduce", query), Error);
}

TEST(RooflineNetwork, LatencyBoundsSmallArrays) {
  Sheet sheet = tpu_v5e();
  sheet.figures["link.device.latency"].value = 1e-6;
  Query query = query_for(sheet, "all-gather", "8");
  query.devices = 16;
  EXPECT_DOUBLE_EQ(estimate("all-gather", query).t_network_s, 8e-6);
  query.axes = 2;
  EXPECT_DOUBLE_EQ(estimate("all-gather", query).t_network_s, 4e-6);  // two along each
}

TEST(RooflineNetwork, NamesWhatIsMissing) {
  Sheet sheet = a100();
  Query query = query_for(sheet, "all-reduce", "1024");
  EXPECT_THROW(estimate("all-reduce", query), Error);  // one device
  query.devices = 8;
  query.algorithm = "switch";
  EXPECT_THROW(estimate("all-reduce", query), Error);  // link.reduces is absent
  query.algorithm = "star";
  EXPECT_THROW(estimate("all-reduce", query), Error);
  sheet.figures.erase("link.device");
  query.algorithm = "";
  try {
    estimate("all-reduce", query);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("link.device"), std::string::npos);
  }
}

}  // namespace
}  // namespace ridge::cost::roofline_network_test

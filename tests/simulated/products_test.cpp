// `ridge products` where there is no GPU: what it draws, checks, times and says.
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>

#include "ridge/core/device_copy.h"
#include "ridge/ridge.h"
#include "simulated_gpu.h"
#include "tools/ridge/child_process.h"
#include "tools/ridge/product_check.h"
#include "tools/ridge/product_clock.h"
#include "tools/ridge/product_report.h"

namespace ridge::testing::products_test {
namespace {

using namespace command;
using Json = nlohmann::json;

TEST(Products, WordsReadBack) {
  for (const char* word :
       {"16384x3072x768", "768x3072x16384:tn", "8x8x8:nn:f16", "64x64x64:bias_gelu",
        "1x4096x14336:int8", "1x32x32:int4", "8x8x8:tt:f16:bias_gelu"}) {
    EXPECT_EQ(to_text(parse_product(word)), word);
  }
  EXPECT_EQ(to_text(parse_product("8x16x24:nt:bf16")), "8x16x24");
  const ProductCase product = parse_product("2x4x32:int8");
  EXPECT_EQ(product.flops(), 2 * 2 * 4 * 32);
  EXPECT_EQ(product.bytes(), 4 * 34 + 2 * (2 * 32 + 2 * 4));
}

TEST(Products, MistakesInWordsAreNamed) {
  for (const char* word :
       {"", "8x8", "8x8x8x8", "8x8xa", "0x8x8", "8x8x8:nx", "8x8x8:", "8x8x33:int8",
        "8x8x32:int4:bias_gelu", "8x8x32:nn:int8", "8x8x99999999999", "2147483648x2147483648x8"}) {
    try {
      parse_product(word);
      ADD_FAILURE() << word;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
    }
  }
}

TEST(Products, DrawnOnesFollowFromTheSeed) {
  const auto words = [](uint64_t seed) {
    std::vector<std::string> all;
    for (const ProductCase& product : drawn_products(seed, 40)) {
      EXPECT_EQ(product.m % 8 + product.n % 8 + product.k % 8, 0) << to_text(product);
      EXPECT_LE(product.flops(), 3e12);
      all.push_back(to_text(product));
    }
    return all;
  };
  EXPECT_EQ(words(7), words(7));
  EXPECT_NE(words(7), words(8));
}

TEST(Products, TheSecondHalfOfASoloCounts) {
  int calls = 0;
  // Slow while it is cold: 6 of 10 batches, for 18 of 22 seconds.
  const double median = solo_seconds(
      [&] {
        ++calls;
        return calls <= 6 ? 3.0 : 1.0;
      },
      21.5);
  EXPECT_EQ(calls, 10);
  EXPECT_EQ(median, 1);
  EXPECT_EQ(solo_seconds([] { return 2.0; }, 1), 2);
  EXPECT_NEAR(runs_of_batch(1e-5), 500, 1);
  EXPECT_EQ(runs_of_batch(1), 1);
}

TEST(Products, SidesAreTimedInBothOrders) {
  std::string order;
  const auto side = [&](char name) {
    return [&order, name] {
      order += name;
      return order.size() <= 3 ? 1.0 : 3.0;
    };
  };
  const std::vector<SoloTime> times = in_both_orders({side('a'), side('b'), side('c')});
  EXPECT_EQ(order, "abccba");
  EXPECT_EQ(times[0].seconds, 2);
  EXPECT_EQ(times[0].spread, 1);
}

class SimulatedBench : public ::testing::Test {
 protected:
  void SetUp() override { RIDGE_USE_SIMULATED_GPU(); }

  // A run takes one millisecond more each time that one is timed.
  MeasureOptions options() {
    return {.device = kSimulated, .timer = [this](const std::function<void()>& run) {
              run();
              return 1e-3 * ++timed_;
            }};
  }
  int timed_ = 0;
};

TEST_F(SimulatedBench, APlainProductIsBesideTheLibrary) {
  const ProductResult result = measure_product(parse_product("72x40x48:tn:f16"), options());
  EXPECT_TRUE(result.plan.is_mapped) << result.plan.mapping;
  EXPECT_TRUE(result.plan.mapping.starts_with("product wgmma")) << result.plan.mapping;
  EXPECT_EQ(result.plan.kernels, 1);
  EXPECT_GT(result.plan.predicted, result.plan.floor);
  EXPECT_GT(result.compile_ms, 0);
  // Two sets of operands: 1 and 4 ms of ours, 2 and 3 of the other.
  EXPECT_EQ(timed_, 4);
  EXPECT_DOUBLE_EQ(result.seconds, 1.25e-3);
  EXPECT_DOUBLE_EQ(result.spread, 1.2);
  ASSERT_EQ(result.peers.size(), 1u);
  EXPECT_EQ(result.peers[0].name, "cublaslt");
  EXPECT_DOUBLE_EQ(result.ratio(), 1);
  EXPECT_EQ(result.note, "the library declines this product");

  const Json json = to_json(result);
  EXPECT_EQ(json["product"], "72x40x48:tn:f16");
  EXPECT_DOUBLE_EQ(json["ours_us"].get<double>(), 1250);
  const std::string row = product_table_row(json, {ProductGoal::Of::ratio, 0.97, 1});
  for (const char* part :
       {"72x40x48:tn:f16", "1250.00", "1.000", "0.97x met", "cublaslt; product"}) {
    EXPECT_NE(row.find(part), std::string::npos) << row;
  }
  EXPECT_NE(product_table_row(json, {ProductGoal::Of::tbytes, 2.8, 3.2}).find("NOT met"),
            std::string::npos);
}

TEST_F(SimulatedBench, AFusedProductIsBesideThePlainOne) {
  const ProductResult result = measure_product(parse_product("64x48x64:bias_gelu"), options());
  EXPECT_TRUE(result.plan.is_mapped);
  EXPECT_EQ(result.plan.kernels, 1);
  ASSERT_EQ(result.peers.size(), 2u);
  EXPECT_EQ(result.peers[0].name, "cublaslt + kernel");
  EXPECT_EQ(result.peers[1].name, "ours plain");
  EXPECT_NE(result.note.find("no fused cuBLASLt"), std::string::npos) << result.note;
  EXPECT_NE(product_table_row(to_json(result), {}).find("over plain"), std::string::npos);
}

TEST_F(SimulatedBench, QuantizedWeightsAreBesideOurs) {
  for (const char* word : {"3x40x64:int8", "3x40x64:int4"}) {
    const ProductResult result = measure_product(parse_product(word), options());
    ASSERT_EQ(result.peers.size(), 1u);
    EXPECT_EQ(result.peers[0].name, "ours bf16");
  }
}

// Results of the first set where those of the second are asked for.
TEST_F(SimulatedBench, AWrongResultIsNoResult) {
  const ProductCase product = parse_product("40x24x32");
  const auto operands = random_operands(product, 2, kSimulated);
  const std::vector<ExpectedElement> expected = expected_elements(product, operands, 5);
  const Tensor first = multiply(product, operands[0]), second = multiply(product, operands[1]);
  check_elements("right", expected, {first, second});
  EXPECT_THROW(check_elements("exchanged", expected, {second, first}), Error);
  // One element that was not written: the last, which is always looked at.
  Tensor torn = to_device(second, kCpu);
  static_cast<uint16_t*>(torn.raw_data())[40 * 24 - 1] = 0x7fff;
  try {
    check_elements("torn", expected, {first, torn});
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("row 39, column 23 of set 1"), std::string::npos)
        << error.what();
  }
}

TEST_F(SimulatedBench, MappingsAreForcedAndRanked) {
  std::vector<std::string> steps;
  MeasureOptions ranking = options();
  ranking.on_progress = [&](const std::string& what) { steps.push_back(what); };
  const RankedProduct ranked = rank_product(parse_product("136x128x64"), ranking, 3);
  ASSERT_EQ(ranked.ways.size(), 4u);
  EXPECT_GT(ranked.candidates, 4);
  EXPECT_EQ(steps.size(), 4u);
  for (size_t i = 0; i < ranked.ways.size(); ++i) {
    EXPECT_EQ(ranked.ways[i].error, "");
    EXPECT_GT(ranked.ways[i].predicted, 0);
    EXPECT_DOUBLE_EQ(ranked.ways[i].seconds, 0.5e-3 * static_cast<double>(i + 1));
    for (size_t j = 0; j < i; ++j) EXPECT_NE(ranked.ways[i].mapping, ranked.ways[j].mapping);
  }
  EXPECT_NE(ranked_text(to_json(ranked)).find("500.00 us"), std::string::npos);
  EXPECT_THROW(rank_product(parse_product("33x33x33"), options(), 3), Error);
}

Json way(double us, double predicted) {
  return {{"mapping", "m"}, {"us", us}, {"predicted_us", predicted}};
}

TEST(Products, SharesAreOfProductsAndPairs) {
  const RankShares shares = rank_shares({
      {{"product", "a"}, {"ways", {way(100, 110), way(130, 120), way(110, 105)}}},
      {{"product", "b"}, {"ways", {way(100, 130), way(200, 120)}}},
      {{"product", "c"}, {"ways", {way(100, 100), {{"mapping", "m"}, {"error", "wrong"}}}}},
      {{"product", "d"}, {"error", "hangs"}},
  });
  EXPECT_EQ(shares.products, 4);
  EXPECT_EQ(shares.failed, 1);
  EXPECT_EQ(shares.close, 2);
  // Of a: 100 before 130, 110 before 130; 100 and 110 are too close. Of b: the wrong way. Of c: one that fails.
  EXPECT_EQ(shares.pairs, 4);
  EXPECT_EQ(shares.right, 2);
  EXPECT_EQ(shares.wrong.size(), 2u);
  EXPECT_FALSE(shares.holds());
  EXPECT_NE(
      to_text(shares).find("2 of 4 products predicted within 25 % (50 %, wanted 80 %), 1 failed"),
      std::string::npos)
      << to_text(shares);
  EXPECT_FALSE(rank_shares({}).holds());
  EXPECT_TRUE(rank_shares({{{"product", "a"}, {"ways", {way(100, 110)}}}}).holds());
}

TEST(Products, SmallSquaresHaveAMedian) {
  std::vector<ListedProduct> products;
  for (const ListedProduct& one : listed_products()) {
    if (one.counts_for_median) products.push_back(one);
  }
  ASSERT_EQ(products.size(), 4u);
  const MedianRatio median = median_ratio(
      {{{"ratio", 0.9}}, {{"ratio", 1.3}}, {{"ratio", 0.95}}, {{"ratio", 1.2}}}, products);
  EXPECT_DOUBLE_EQ(median.ratio, 1.075);
  EXPECT_EQ(median.to_text(), "median ratio of 4 small squares: 1.075, wanted 1: met\n");
  EXPECT_FALSE(median_ratio({{{"error", "hangs"}}}, products).holds());
  EXPECT_EQ(median_ratio({}, products).to_text(), "");
  EXPECT_TRUE(median_ratio({}, products).holds());
}

TEST(Products, FailuresAreRows) {
  const Json failed = failed_product(parse_product("8x8x8"), "it hangs");
  EXPECT_NE(product_table_row(failed, {}).find("FAILED: it hangs"), std::string::npos);
  EXPECT_NE(ranked_text(failed).find("FAILED: it hangs"), std::string::npos);
  EXPECT_FALSE(meets(failed, {}));
}

TEST(ChildProcess, LinesArriveAndTheEndIsTold) {
  std::vector<std::string> lines;
  const auto keep = [&](const std::string& line) { lines.push_back(line); };
  const ChildEnd good = run_child(
      [](int out) {
        write_line(out, "first");
        write_line(out, "second");
        return 0;
      },
      10, keep);
  EXPECT_TRUE(good.is_success());
  EXPECT_EQ(lines, (std::vector<std::string>{"first", "second"}));
  EXPECT_EQ(run_child([](int) { return 77; }, 10, keep).to_text(), "exited with 77");
  const ChildEnd dead = run_child([](int) { return raise(SIGKILL); }, 10, keep);
  EXPECT_EQ(dead.kind, ChildEnd::Kind::died);
  EXPECT_EQ(dead.code, SIGKILL);
  EXPECT_EQ(
      run_child([](int) -> int { throw std::runtime_error("expected by a test"); }, 10, keep).code,
      1);
}

TEST(ChildProcess, OneThatIsSilentIsKilled) {
  std::vector<std::string> lines;
  const ChildEnd end = run_child(
      [](int out) {
        write_line(out, "before");
        while (true) pause();
        return 0;
      },
      0.2, [&](const std::string& line) { lines.push_back(line); });
  EXPECT_EQ(end.kind, ChildEnd::Kind::timed_out);
  EXPECT_EQ(end.to_text(), "killed: nothing was heard of it for 0.2 s");
  EXPECT_EQ(lines, std::vector<std::string>{"before"});
}

TEST(ChildProcess, ItEndsWithWhoeverListens) {
  struct Enough {};
  pid_t child = 0;
  EXPECT_THROW(run_child(
                   [](int out) {
                     write_line(out, std::to_string(getpid()));
                     while (true) pause();
                     return 0;
                   },
                   10,
                   [&](const std::string& line) {
                     child = std::stoi(line);
                     throw Enough();
                   }),
               Enough);
  EXPECT_EQ(kill(child, 0), -1);
}

}  // namespace
}  // namespace ridge::testing::products_test

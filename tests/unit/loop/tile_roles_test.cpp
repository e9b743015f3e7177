// The mapped form on the host: right results early and late, and what each broken rule is reported as.
#include <cmath>

#include "tests/unit/loop/run_unverified.h"
#include "tests/unit/loop/tile_samples.h"

namespace ridge::loop::tile_roles_test {
namespace {

constexpr Completion kBoth[] = {Completion::late, Completion::early};

// out = max(a * b transposed + bias, 0) of tile_sample("product_mapped").
struct Product {
  int64_t m = 140, n = 270, k = 130;
  std::vector<BFloat16> a = random_vector<BFloat16>(m * k, 1);
  std::vector<BFloat16> b = random_vector<BFloat16>(n * k, 2);
  std::vector<BFloat16> bias = random_vector<BFloat16>(n, 3);
  std::vector<BFloat16> out = std::vector<BFloat16>(static_cast<size_t>(m * n));

  Counts run(const std::string& text, const Options& options = {}) {
    return run_text(text, {m, n, k}, options, a, b, bias, out);
  }
  float sum(int64_t row, int64_t column) const {
    float sum = 0;
    for (int64_t i = 0; i < k; ++i) {
      sum = std::fma(float(a[static_cast<size_t>(row * k + i)]),
                     float(b[static_cast<size_t>(column * k + i)]), sum);
    }
    return sum;
  }
  std::vector<BFloat16> expected() const {
    std::vector<BFloat16> list;
    for (int64_t i = 0; i < m * n; ++i) {
      const float biased = sum(i / n, i % n) + float(bias[static_cast<size_t>(i % n)]);
      list.emplace_back(std::max(biased, 0.0f));
    }
    return list;
  }
  void expect_right() const {
    static const std::vector<BFloat16> expected = Product().expected();
    for (size_t i = 0; i < out.size(); ++i) ASSERT_EQ(out[i].bits, expected[i].bits) << i;
  }
};

void expect_right(const std::string& text, const Options& options = {}) {
  for (const Completion completion : kBoth) {
    Product product;
    Options with = options;
    with.completion = completion;
    const Counts counts = product.run(text, with);
    product.expect_right();
    EXPECT_EQ(counts.tiles.unwritten, 0);
  }
}

void expect_refused(const std::string& text, std::string_view part, int64_t blocks = 2) {
  for (const Completion completion : kBoth) {
    Product p;
    const Options options{.blocks = blocks, .completion = completion};
    expect_part(
        refusal([&] { run_unverified(text, {p.m, p.n, p.k}, options, p.a, p.b, p.bias, p.out); }),
        part);
  }
}

std::string sample() { return tile_sample("product_mapped"); }

TEST(TileRoles, ProductIsRightEarlyAndLate) { expect_right(sample()); }

TEST(TileRoles, AnyNumberOfBlocksInAnyOrder) {
  expect_right(sample(), {.blocks = 1});
  expect_right(sample(), {.reverse_tasks = true, .blocks = 3});
  expect_right(sample(), {.blocks = 9});  // more than there are tiles
}

TEST(TileRoles, CountsBoxesDotsAndConflicts) {
  Product product;
  const Counts counts = product.run(sample());
  const int64_t tiles = 2 * 2, steps = 3;
  EXPECT_EQ(counts.tiles.boxes_in, tiles * steps * 2);
  EXPECT_EQ(counts.tiles.box_bytes_in, tiles * steps * 2 * (128 * 64 + 64 * 256));
  EXPECT_EQ(counts.tiles.boxes_out, tiles * 2 * 4);
  EXPECT_EQ(counts.tiles.box_bytes_out, tiles * 2 * 4 * 2 * 64 * 64);
  EXPECT_EQ(counts.tiles.dots, tiles * steps * 2);
  EXPECT_EQ(counts.tiles.dot_flops, tiles * steps * 2 * 2 * 64 * 256 * 64);
  EXPECT_EQ(counts.tiles.move_conflicts, 0);
}

TEST(TileRoles, CountsTheBankConflictsOfATileWithoutSwizzle) {
  const std::string text =
      replaced(replaced(sample(), "box 64, 64 swizzle 128\n  ring", "box 64, 64\n  ring"),
               "out_tile: bf16[64, 64] swizzle 128", "out_tile: bf16[64, 64] linear");
  Product product;
  // The 8 rows of a piece lie in the same 4 banks.
  EXPECT_EQ(product.run(text).tiles.move_conflicts, 2 * 2 * 2 * 4 * 64 * 7);
  product.expect_right();
}

const std::string kWait = "          wait_dot 0 sum\n";
const std::string kEach = "      each i3, i4 of sum";

TEST(TileRoles, ASlotGivenBackWhileADotReadsIt) {
  const std::string part =
      "slots that are given back when nothing in flight reads them, given slot";
  expect_refused(replaced(sample(), kWait, ""), part);
  expect_refused(replaced(sample(), kWait, "          wait_dot 1 sum\n"), part);
}

TEST(TileRoles, OneDotStaysInFlightWithSlotsThatAreGivenBackLater) {
  const std::string lagging = replaced(replaced(sample(), kWait, "          wait_dot 1\n"),
                                       "consume stages {", "consume stages lag 1 {");
  const std::string waiting = replaced(lagging, kEach, "      wait_dot 0 sum\n" + kEach);
  expect_right(waiting);
  expect_refused(lagging,
                 "a wait_dot for sum before it is touched, given 1 dots into sum in flight");
  expect_refused(replaced(waiting, "      wait_dot 0 sum\n", "      wait_dot 0\n"),
                 "a wait_dot that names sum before it is touched");
  expect_refused(replaced(waiting, "lag 1 {", "{"), "slots that are given back when nothing");
}

TEST(TileRoles, AccumulatorWrittenInFlight) {
  const std::string text = replaced(sample(), kWait, "          fill sum = 1.0\n" + kWait);
  expect_refused(text, "1 dots into sum in flight, at `fill sum = 1.0` in math 0 of block 0");
}

TEST(TileRoles, ATileOfARingTouchedOutside) {
  const std::string dot = "            dot async sum += lhs[64 * i5, 0] * rhs\n";
  expect_refused(replaced(sample(), kEach, dot + kEach), "lhs outside, at `dot async");
  expect_refused(replaced(sample(), "        produce stages {\n",
                          "          copy lhs = a_map[0, 0]\n        produce stages {\n"),
                 "inside of its `produce`, given lhs outside");
  expect_refused(replaced(sample(), kWait, kWait + "            copy lhs = a_map[0, 0]\n"),
                 "inside of its `produce`, given lhs outside");
}

TEST(TileRoles, AnElementThatNoCopyFilled) {
  expect_refused(replaced(sample(), "          copy rhs = b_map[256 * i1, 64 * i2]\n", ""),
                 "when they are read, given rhs[0, 0]");
}

TEST(TileRoles, AProducerThatFillsTwice) {
  const std::string copy = "          copy lhs = a_map[128 * i0, 64 * i2]\n";
  expect_refused(replaced(sample(), copy, copy + copy), "given a second time lhs");
  const std::string produce = "        produce stages {\n          copy lhs";
  const std::string twice = replaced(sample(), produce,
                                     "        produce stages {\n" + copy +
                                         "          copy rhs = b_map[0, 0]\n        }\n" + produce);
  expect_refused(twice, "math 1 has ended; load 0 waits for a free slot, slot 2 of ring stages");
}

TEST(TileRoles, AProducerThatFillsLess) {
  std::string text = sample();
  const std::string loop = "      for i2 in (k + 63) // 64 {\n        produce";
  text = replaced(text, loop, "      for i2 in (k + 63) // 64 - 1 {\n        produce");
  expect_refused(text,
                 "deadlock in block 0: math 0 waits for a full slot, fill 2 of slot 0 of ring "
                 "stages at `consume stages {`; math 1 waits");
}

TEST(TileRoles, SlotsThatNobodyGivesBack) {
  // Only one of the two gives slots back.
  expect_refused(
      replaced(sample(), "for i2 in (k + 63) // 64 {\n        consume",
               "for i2 in i5 * ((k + 63) // 64) {\n        consume"),
      "load 0 waits for a free slot, slot 0 of ring stages, which 1 of 2 role instances");
  // The last slots are left over.
  expect_refused(replaced(sample(), "for i2 in (k + 63) // 64 {\n        consume",
                          "for i2 in (k + 63) // 64 - 1 {\n        consume"),
                 "slots that are empty when the block ends, given slot 0 of ring stages");
  // A ring of its own that nobody consumes.
  std::string unused = replaced(sample(), "  ring stages slots 4\n",
                                "  ring stages slots 4\n  ring unused slots 2\n");
  unused = replaced(
      unused, "  tile sum:", "  tile waste: bf16[128, 64] swizzle 128 in unused\n  tile sum:");
  unused = replaced(unused, "        produce stages {",
                    "        produce unused {\n          copy waste = a_map[0, 0]\n        }\n"
                    "        produce stages {");
  expect_refused(unused, "load 0 waits for a free slot, slot 0 of ring unused, which 0 of 0");
}

TEST(TileRoles, TwoInstancesThatFillARing) {
  expect_refused(replaced(sample(), "role load warps 1", "role load warps 2"),
                 "rings that one role instance fills, given stages filled by load 0 too");
}

TEST(TileRoles, ATileWrittenWhileAStoreReadsIt) {
  const std::string wait = "        wait_stores 1 read\n";
  const std::string part = "a wait_stores before out_tile is written, given 1 stores of out_tile";
  expect_refused(replaced(sample(), wait, ""), part);
  expect_refused(replaced(sample(), wait, "        wait_stores 2 read\n"), part);
  expect_refused(replaced(sample(), "slots 2 in math", "in math"), part);
  expect_right(replaced(replaced(sample(), "slots 2 in math", "in math"), wait,
                        "        wait_stores 0 read\n"));
}

TEST(TileRoles, StoresLeftOver) {
  expect_refused(replaced(sample(), "    wait_stores 0\n", ""),
                 "before a role ends, given a store of out_tile in flight");
  expect_right(replaced(sample(), "    wait_stores 0\n", "    wait_stores 0 read\n"));
}

TEST(TileRoles, AResultWrittenTwice) {
  expect_refused(replaced(sample(), "out_map[128 * i0 + 64 * i5,", "out_map[128 * i0,"),
                 "out[0] written twice, by math 0 of block 0 and by math 1 of block 0");
  expect_refused(replaced(sample(), "256 * i1 + 64 * i6] = out_tile", "64 * i6] = out_tile"),
                 "and by math 0 of block 2", 4);
}

TEST(TileRoles, CountsElementsThatNobodyWrote) {
  Product product;
  const Counts counts = product.run(replaced(sample(), "for i6 in 4", "for i6 in 3"));
  EXPECT_EQ(counts.tiles.unwritten, 140 * 64);  // columns 192 to 255 of 270
}

// Two warpgroups, each with tiles of its own, whose loops over k take turns.
constexpr std::string_view kPingPong =
    R"(kernel turns(a: bf16[m * k] in, b: bf16[n * k] in, out: f32[m * n] out; m, n, k) threads 288 {
  view a_map = a[m, k] strides k, 1 box 64, 64 swizzle 128
  view b_map = b[n, k] strides k, 1 box 64, 64 swizzle 128
  ring stages slots 2
  tile lhs: bf16[64, 64] swizzle 128 in stages
  tile rhs: bf16[64, 64] columns swizzle 128 in stages
  tile sum: f32[64, 64] accumulator in math
  role math warpgroups 2 registers 232 index i5 {
    if i5 == 1 {
      skip stages (k + 63) // 64
      barrier_arrive 1 threads 256
    }
    for i0, i1 in tiles((m + 63) // 64, (n + 63) // 64) from i5 step 2 {
      fill sum = 0.0
      if i5 == 0 {
        barrier_sync 1 threads 256
      }
      if i5 == 1 {
        barrier_sync 2 threads 256
      }
      for i2 in (k + 63) // 64 {
        consume stages {
          dot async sum += lhs * rhs
          wait_dot 0 sum
        }
      }
      skip stages (k + 63) // 64
      if i5 == 0 {
        barrier_arrive 2 threads 256
      }
      if i5 == 1 {
        barrier_arrive 1 threads 256
      }
      store out[n * (64 * i0 + i3) + 64 * i1 + i4] = sum[i3, i4] within m - 64 * i0, n - 64 * i1
    }
  }
  role load warps 1 registers 40 {
    for i0, i1 in tiles((m + 63) // 64, (n + 63) // 64) {
      for i2 in (k + 63) // 64 {
        produce stages {
          copy lhs = a_map[64 * i0, 64 * i2]
          copy rhs = b_map[64 * i1, 64 * i2]
        }
      }
    }
  }
}
)";

std::string turns_refusal(const std::string& text, Completion completion) {
  Product p{.m = 100, .n = 150, .k = 260};
  std::vector<float> out(static_cast<size_t>(p.m * p.n));
  return refusal(
      [&] { run_unverified(text, {p.m, p.n, p.k}, {.completion = completion}, p.a, p.b, out); });
}
void expect_turns_refused(const std::string& part, const std::string& by, std::string_view says) {
  for (const Completion completion : kBoth) {
    expect_part(turns_refusal(replaced(std::string(kPingPong), part, by), completion), says);
  }
}

TEST(TileRoles, PingPongIsRightEarlyAndLate) {
  for (const Completion completion : kBoth) {
    for (const int64_t blocks : {1, 2, 4}) {
      Product p{.m = 100, .n = 150, .k = 260};
      std::vector<float> out(static_cast<size_t>(p.m * p.n));
      run_text(kPingPong, {p.m, p.n, p.k}, {.blocks = blocks, .completion = completion}, p.a, p.b,
               out);
      for (int64_t i = 0; i < p.m * p.n; ++i) {
        ASSERT_EQ(out[static_cast<size_t>(i)], p.sum(i / p.n, i % p.n)) << i;
      }
    }
  }
}

TEST(TileRoles, WaitingTwoFillsAheadIsReported) {
  expect_turns_refused("        barrier_sync 2 threads 256\n", "",
                       "math 1 waits for fill 3 of slot 1 of ring stages after fill 0");
}

TEST(TileRoles, TurnsThatNobodyHandsOver) {
  expect_turns_refused("        barrier_arrive 2 threads 256\n", "",
                       "math 1 waits for barrier 2, where 128 of 256 threads are at `barrier_sync");
  expect_turns_refused("      barrier_arrive 1 threads 256\n    }\n    for", "    }\n    for",
                       "math 0 waits for barrier 1, where 128 of 256");
}

TEST(TileRoles, ABarrierOfOtherThreads) {
  expect_turns_refused("barrier_arrive 2 threads 256", "barrier_arrive 2 threads 288",
                       "barrier 2 with 256 threads, as others say, given 288 threads");
  expect_turns_refused(
      "        barrier_arrive 2 threads 256\n",
      "        barrier_arrive 3 threads 256\n        barrier_arrive 3 threads 256\n",
      "given another one of math 0, at `barrier_arrive 3");
}

TEST(TileRoles, SlotsThatTwoTake) {
  expect_turns_refused("      skip stages (k + 63) // 64\n      barrier_arrive 1",
                       "      skip stages 0\n      barrier_arrive 1",
                       "are filled again when all have given them back, given math 1 takes");
}

}  // namespace
}  // namespace ridge::loop::tile_roles_test

// map_product: mapped kernels run in the interpreter, beside the contraction that they came from. Its texts
// are in tests/golden/mapping.
#include "ridge/mapping/passes/map_product.h"

#include <gtest/gtest.h>

#include "contract_text.h"
#include "ridge/cost/sheets.h"
#include "ridge/mapping/passes/contract_to_tiles.h"
#include "tests/unit/loop/run_kernel.h"

namespace ridge::mapping::map_product_test {
namespace {

loop::DeviceLimits limits() { return cost::device_limits(cost::find_sheet("h200").get()); }

loop::Kernel unmapped(const std::string& text) {
  Rewritten tiles = contract_to_tiles(loop::parse(text));
  EXPECT_TRUE(tiles.decision) << tiles.decision.reason;
  return std::move(tiles.kernel);
}
Rewritten mapped(const std::string& contract, std::string_view mapping) {
  return map_product(unmapped(contract), parse(mapping).mapping, limits());
}

struct Sizes {
  int64_t b, m, n, k;
};

// All elements have the bits of the contraction, whatever completes when and however many blocks there are.
template <class T>
void expect_same(const ContractText& contract, std::string_view mapping, Sizes s) {
  auto x = loop::random_vector<BFloat16>(s.b * s.m * s.k, 1);
  auto y = loop::random_vector<BFloat16>(s.n * s.k, 2);
  auto bias = loop::random_vector<BFloat16>(s.n, 3);
  std::vector<T> expected(static_cast<size_t>(s.b * s.m * s.n));
  const auto run = [&](const std::string& text, const loop::Options& options, std::vector<T>& out) {
    const std::vector<int64_t> sizes = {s.b, s.m, s.n, s.k};
    return contract.head.empty() ? loop::run_text(text, sizes, options, x, y, out)
                                 : loop::run_text(text, sizes, options, x, y, bias, out);
  };
  run(contract.text(), {}, expected);
  const Rewritten result = mapped(contract.text(), mapping);
  ASSERT_TRUE(result.decision) << mapping << ": " << result.decision.reason;
  const std::string text = loop::to_text(result.kernel);
  loop::verify(loop::parse(text));
  for (const int64_t blocks : {1, 3}) {
    for (const auto completion : {loop::Completion::late, loop::Completion::early}) {
      std::vector<T> out(expected.size());
      const loop::Counts counts = run(text, {.blocks = blocks, .completion = completion}, out);
      EXPECT_EQ(counts.tiles.unwritten, 0);
      EXPECT_EQ(counts.tiles.move_conflicts, 0) << text;
      for (size_t i = 0; i < out.size(); ++i) {
        ASSERT_EQ(static_cast<float>(out[i]), static_cast<float>(expected[i]))
            << mapping << ", element " << i << " of " << s.m << "x" << s.n << "x" << s.k;
      }
    }
  }
}

TEST(MapProduct, AllOrdersOfOperandsCooperative) {
  for (const bool lhs : {true, false}) {
    for (const bool rhs : {true, false}) {
      expect_same<BFloat16>({.is_lhs_along_k = lhs, .is_rhs_along_k = rhs},
                            "product wgmma 128x48x64 cooperative 2 stages 3 group 8",
                            {1, 130, 60, 70});
    }
  }
}

TEST(MapProduct, AllOrdersOfOperandsInTurns) {
  for (const bool lhs : {true, false}) {
    for (const bool rhs : {true, false}) {
      expect_same<BFloat16>({.is_lhs_along_k = lhs, .is_rhs_along_k = rhs},
                            "product wgmma 64x80x64 ping_pong 2 stages 3 group 8",
                            {1, 130, 90, 70});
    }
  }
}

TEST(MapProduct, WideTiles) {
  const Sizes sizes{1, 130, 150, 40};
  for (const char* mapping : {"product wgmma 128x256x64 cooperative 2 stages 4 group 8",
                              "product wgmma 256x144x64 cooperative 2 stages 3 group 16",
                              "product wgmma 64x112x64 cooperative 1 stages 4 group 8",
                              "product wgmma 128x208x64 ping_pong 2 stages 4 group 8"}) {
    expect_same<BFloat16>({.is_lhs_along_k = false, .is_rhs_along_k = false}, mapping, sizes);
  }
}

TEST(MapProduct, BatchesAndEpilogues) {
  const ContractText contract{.has_batch = true,
                              .epilogue =
                                  "          let v1: f32 = max(v0 + bias[64 * i5 + i1], 0.0)\n"
                                  "          out[AT] = v1\n",
                              .head = "bias: bf16[n] in, "};
  for (const char* mapping : {"product wgmma 64x64x64 ping_pong 2 stages 2 group 1",
                              "product wgmma 128x32x64 cooperative 2 stages 4 group 8",
                              "product wgmma 128x32x64 cooperative 2 stages 4 store elements"}) {
    expect_same<BFloat16>(contract, mapping, {3, 70, 70, 20});
  }
}

TEST(MapProduct, ResultsOfOtherTypes) {
  ContractText contract;
  contract.result = "f32";
  expect_same<float>(contract, "product wgmma 128x48x64 cooperative 2 stages 2 store elements",
                     {1, 70, 52, 64});
  expect_same<float>(contract, "product wgmma 64x80x64 ping_pong 2 stages 2 store elements",
                     {1, 70, 100, 64});
}

TEST(MapProduct, TinyAndEmpty) {
  for (const char* mapping : {"product wgmma 128x64x64 cooperative 2 stages 4",
                              "product wgmma 64x64x64 ping_pong 2 stages 4"}) {
    expect_same<BFloat16>({}, mapping, {1, 1, 1, 1});
    expect_same<BFloat16>({}, mapping, {1, 200, 8, 0});  // nothing to sum
    expect_same<BFloat16>({}, mapping, {1, 3, 130, 449});
  }
}

TEST(MapProduct, RefusesWithAReason) {
  const auto reason = [](const ContractText& contract, std::string_view mapping) {
    const Rewritten result = mapped(contract.text(), mapping);
    EXPECT_FALSE(result.decision);
    EXPECT_TRUE(result.kernel.rings.empty());
    return result.decision.reason;
  };
  const std::string start = "product wgmma 128x256x64 cooperative 2 stages 4 ";
  EXPECT_EQ(reason({}, start + "split 2"), "parts of k have no statement that adds them in order");
  EXPECT_EQ(reason({}, start + "cluster 2"), "copies to all blocks of a cluster have no statement");
  EXPECT_EQ(reason({}, start + "align realigned"), "realigned operands have strides of their own");
  EXPECT_EQ(reason({}, "product wgmma 128x256x64 cooperative 2 stages 9"),
            "stages: 9 stages of 48.0 KiB and 32.0 KiB to store exceed 227.0 KiB");
  EXPECT_EQ(reason({}, "product mma 128x128x32 cooperative 2 store elements"), "no roles for mma");
  EXPECT_EQ(map_product(loop::parse(ContractText{}.text()), Mapping{}, limits()).decision.reason,
            "not one product with an epilogue");
}

// Through tiles of their own, or by the threads that have them.
TEST(MapProduct, SeveralResults) {
  const ContractText contract{.epilogue =
                                  "          let v1: f32 = v0 + 1.0\n"
                                  "          more[AT] = v0\n          out[AT] = v1\n",
                              .head = "more: bf16[m * n] out, "};
  const int64_t m = 70, n = 72, k = 66;
  auto x = loop::random_vector<BFloat16>(m * k, 1), y = loop::random_vector<BFloat16>(n * k, 2);
  std::vector<BFloat16> more(static_cast<size_t>(m * n)), out = more;
  loop::run_text(contract.text(), {1, m, n, k}, {}, x, y, more, out);
  for (const char* mapping : {"product wgmma 64x64x64 ping_pong 2 stages 4 store elements",
                              "product wgmma 64x64x64 ping_pong 2 stages 4",
                              "product wgmma 128x80x64 cooperative 2 stages 2",
                              "product wgmma 256x48x64 cooperative 2 stages 2 store tile 1"}) {
    const Rewritten result = mapped(contract.text(), mapping);
    ASSERT_TRUE(result.decision) << result.decision.reason;
    for (const auto completion : {loop::Completion::late, loop::Completion::early}) {
      std::vector<BFloat16> more2(more.size()), out2 = more2;
      loop::run_text(loop::to_text(result.kernel), {1, m, n, k}, {.completion = completion}, x, y,
                     more2, out2);
      for (size_t i = 0; i < out.size(); ++i) {
        ASSERT_EQ(out[i].bits, out2[i].bits) << mapping;
        ASSERT_EQ(more[i].bits, more2[i].bits) << mapping;
      }
    }
  }
}

}  // namespace
}  // namespace ridge::mapping::map_product_test
